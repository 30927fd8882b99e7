"""FILES: one module a format. Never asyncio."""
