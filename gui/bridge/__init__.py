"""The one place where engine meets Qt. It never draws or asks."""

from gui.bridge.bridge import Bridge

__all__ = ["Bridge"]
