"""Theme: every color, size and font of the window as plain values, light and dark.

It never makes a Qt object: the painter makes colors, pens and fonts of these, the shell applies the style sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

# The first family that is installed is used. Each has (or takes, by the "tnum" feature) figures of one width.
FONT_FAMILIES = ("Inter", "Noto Sans", "Segoe UI", "Helvetica Neue", "DejaVu Sans", "Liberation Sans", "Arial")


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sizes in logical pixels. Everything sits on a grid of `grid_px`."""

    grid_px: int = 4
    row_px: int = 24
    bar_px: int = 12
    bar_top_px: int = 5
    actual_px: int = 3
    actual_top_px: int = 20
    # What frames a bar that is critical stands so far outside it, with a gap of a pixel between.
    frame_px: int = 2
    radius_px: int = 3
    text_px: int = 12
    label_px: int = 11
    bar_text_px: int = 10
    ghost_px: int = 9
    title_px: int = 13
    brand_px: int = 14
    name_px: int = 24
    header_px: int = 48
    # The lower half of the header, where a table's titles stand; and the tiers of the time axis, coarsest first.
    tier_px: int = 24
    tiers_px: tuple[int, int, int] = (17, 15, 16)
    tier_text_px: int = 10
    indent_px: int = 14
    edge_px: int = 6
    drag_px: int = 3
    left_width_px: int = 330


METRICS = Metrics()


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """Colors by token, as "#RRGGBB". A shape names a token, or a token with its opacity in percent: "accent:25"."""

    name: str
    is_dark: bool
    accent: str
    copy_in: str
    compute: str
    copy_out: str
    communication: str
    host: str
    critical: str
    baseline: str
    ground: str
    panel: str
    line: str
    text: str
    muted: str
    # Derived from those: on the accent and on bars, behind rows, and where something is picked or not worked.
    on_accent: str
    on_bar: str
    stripe: str
    selection: str
    non_working: str
    summary: str
    link: str
    good: str
    # Nearly critical; not begun; words on bars too bright for `on_bar`; the part of a bar that is done.
    warning: str
    idle: str
    on_bright: str
    done: str
    # Words that warn; `critical` itself is for marks.
    alarm: str
    # Behind what the last edit moved.
    changed: str
    # Six that stay apart for color-blind eyes, side by side and from the ground.
    hue_1: str
    hue_2: str
    hue_3: str
    hue_4: str
    hue_5: str
    hue_6: str

    def color(self, token: str) -> str:
        """The color of a token without its opacity, as "#RRGGBB". An AttributeError when there is no such token."""
        return str(getattr(self, token.partition(":")[0]))


LIGHT = Theme(
    name="light",
    is_dark=False,
    accent="#4C51C6",
    copy_in="#2F9E91",
    compute="#5A5FD8",
    copy_out="#D98A1F",
    communication="#B0569B",
    host="#8A8F9C",
    critical="#D2453B",
    baseline="#C9C7C0",
    ground="#FAFAF8",
    panel="#FFFFFF",
    line="#E4E2DC",
    text="#22242A",
    muted="#5F626B",
    on_accent="#FFFFFF",
    on_bar="#FFFFFF",
    stripe="#F6F6F2",
    selection="#ECECFA",
    non_working="#F0EFEA",
    summary="#3A3742",
    link="#6F727A",
    good="#1C766B",
    warning="#A35C00",
    idle="#7B7F8B",
    on_bright="#101114",
    done="#000000",
    alarm="#A32A21",
    changed="#FFF1C9",
    hue_1="#4C51C6",
    hue_2="#592100",
    hue_3="#007850",
    hue_4="#C43BA0",
    hue_5="#787800",
    hue_6="#093459",
)

DARK = Theme(
    name="dark",
    is_dark=True,
    accent="#8B8FF5",
    copy_in="#3DB8A8",
    compute="#7B80F0",
    copy_out="#E6A23C",
    communication="#C673B2",
    host="#7D828F",
    critical="#EE6A5F",
    baseline="#44474F",
    ground="#17181C",
    panel="#1D1F24",
    line="#2D3037",
    text="#E7E8EC",
    muted="#A0A4AF",
    on_accent="#17181C",
    on_bar="#17181C",
    stripe="#1B1C21",
    selection="#24264A",
    non_working="#1F2025",
    summary="#D3D5DB",
    link="#8C909A",
    good="#3DB8A8",
    warning="#E6A23C",
    idle="#8E93A0",
    on_bright="#101114",
    done="#2D2F49",
    alarm="#F58C83",
    changed="#2A2512",
    hue_1="#8B8FF5",
    hue_2="#F2BE79",
    hue_3="#009664",
    hue_4="#B56DA2",
    hue_5="#87871B",
    hue_6="#91D8F2",
)

HUES = tuple(f"hue_{number}" for number in range(1, 7))
# Fills of the light theme on which white words could not be read.
_BRIGHT = frozenset({"copy_in", "copy_out", "host", "idle"})


def words_on(fill: str) -> str:
    """The token of words that stand on a bar of a token."""
    return "on_bright" if fill in _BRIGHT else "on_bar"


def needs_edge(fill: str) -> bool:
    """Whether a bar of a token hardly stands out from the ground of a selected row: its edge is drawn there."""
    return fill in _BRIGHT


_STYLE_SHEET = """
* {{ font-family: {families}; font-size: {text_px}px; color: {text}; }}
QMainWindow, QDialog, QWidget#ground {{ background: {ground}; }}
QToolTip {{ background: {panel}; color: {text}; border: 1px solid {line}; padding: 4px; }}
QMenuBar, QToolBar, QStatusBar {{ background: {panel}; border: none; }}
QMenuBar::item {{ padding: 4px 8px; background: transparent; border-radius: {radius_px}px; }}
QMenuBar::item:selected, QMenu::item:selected {{ background: {selection}; color: {text}; }}
QMenu {{ background: {panel}; border: 1px solid {line}; padding: 4px; }}
QMenu::item {{ padding: 4px 24px; border-radius: {radius_px}px; }}
QMenu::item:disabled {{ color: {muted}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px; }}
QToolBar {{ border-bottom: 1px solid {line}; spacing: 8px; padding: 4px 12px; }}
QStatusBar {{ border-top: 1px solid {line}; }}
QStatusBar::item {{ border: none; }}
QStatusBar QLabel {{ color: {muted}; }}
QPushButton, QToolButton, QComboBox {{
    background: {panel}; border: 1px solid {line}; border-radius: {radius_px}px; padding: 4px 12px; min-height: 14px;
}}
QCheckBox::indicator, QGroupBox::indicator, QTreeView::indicator, QListView::indicator, QTableView::indicator,
QMenu::indicator:non-exclusive {{
    width: 12px; height: 12px; border: 1px solid {muted}; border-radius: 2px;
}}
QCheckBox::indicator:checked, QGroupBox::indicator:checked, QTreeView::indicator:checked,
QListView::indicator:checked, QTableView::indicator:checked, QMenu::indicator:non-exclusive:checked,
QCheckBox::indicator:indeterminate, QTreeView::indicator:indeterminate, QTableView::indicator:indeterminate {{
    background: {accent}; border-color: {accent};
}}
QMenu::indicator {{ left: 6px; }}
QCheckBox::indicator:focus, QGroupBox::indicator:focus {{ border-color: {accent}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QToolButton#qt_toolbar_ext_button, QToolButton#qt_menubar_ext_button {{ padding: 0; border-color: transparent; }}
QFileDialog QToolButton {{ padding: 2px; }}
QToolButton::menu-indicator {{ image: none; width: 0; }}
QToolButton:checked {{ background: {selection}; border-color: {accent}; }}
QPushButton:hover, QToolButton:hover, QComboBox:hover {{ border-color: {muted}; }}
QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus {{
    border: 1px solid {accent};
}}
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled {{ color: {muted}; background: {ground}; }}
QPushButton[primary="true"], QToolButton[primary="true"] {{
    background: {accent}; border-color: {accent}; color: {on_accent}; font-weight: bold;
}}
QPushButton[primary="true"]:disabled, QToolButton[primary="true"]:disabled {{
    background: {line}; border-color: {line}; color: {muted};
}}
QComboBox::drop-down {{ border: none; background: transparent; width: 20px; }}
QComboBox QAbstractItemView {{
    background: {panel}; border: 1px solid {line}; selection-background-color: {selection};
}}
QLineEdit {{ background: {panel}; border: 1px solid {line}; border-radius: {radius_px}px; padding: 3px 6px; }}
/* A spin box with a rule of its own would lose the arrows that its style draws. */
QSpinBox {{ min-height: 24px; }}
QSpinBox QLineEdit {{ border: none; background: transparent; padding: 0; }}
QDockWidget {{ background: {panel}; }}
QDockWidget::title {{ background: {panel}; padding: 6px 16px; border-top: 1px solid {line}; }}
QMainWindow::separator {{ background: {line}; width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: {accent}; }}
QSplitter::handle {{ background: {line}; }}
QAbstractItemView {{
    background: {panel}; border: none; outline: none; alternate-background-color: {panel};
    selection-background-color: {selection}; selection-color: {text};
}}
QHeaderView, QHeaderView::section {{ background: {panel}; color: {muted}; border: none; }}
QTableCornerButton::section {{ background: {panel}; border: none; }}
QTableView {{ gridline-color: {baseline}; }}
QTabWidget::pane {{ border: 1px solid {line}; border-radius: {radius_px}px; }}
QTabBar::tab {{ padding: 6px 12px; color: {muted}; border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ color: {text}; border-bottom-color: {accent}; }}
QTabBar::tab:focus {{ color: {accent}; }}
QTableView[role="list"]::item {{ padding: 0 8px; }}
QTreeView[role="list"]::item {{ padding: 4px 0; }}
QListView[role="list"]::item {{ padding: 4px 8px; }}
QTableView[role="list"] QHeaderView::section {{ padding: 4px 10px; }}
QLabel[role="name"] {{ font-size: {name_px}px; font-weight: bold; color: {accent}; }}
QLabel[role="brand"] {{ font-size: {brand_px}px; font-weight: bold; color: {accent}; }}
QLabel[role="title"] {{ font-size: {title_px}px; font-weight: bold; }}
QLabel[role="muted"] {{ color: {muted}; }}
QLabel[role="error"] {{ color: {alarm}; }}
QPushButton[role="recent"] {{ text-align: left; border-color: transparent; background: transparent; padding: 4px; }}
QPushButton[role="recent"]:hover, QPushButton[role="recent"]:focus {{ color: {accent}; border-color: {accent}; }}
QPushButton[role="alarm"] {{ color: {alarm}; border-color: transparent; background: transparent; padding: 0 4px; }}
QPushButton[role="alarm"]:hover, QPushButton[role="alarm"]:focus {{ border-color: {critical}; }}
QProgressBar[role="slim"] {{ background: {line}; border: none; border-radius: 2px; }}
QProgressBar[role="slim"]::chunk {{ background: {accent}; border-radius: 2px; }}
QFrame[role="card"] {{ background: {panel}; border: 1px solid {line}; border-radius: 6px; }}
QScrollBar {{ background: transparent; }}
QScrollBar:vertical {{ width: 10px; }}
QScrollBar:horizontal {{ height: 10px; }}
QScrollBar::handle {{ background: {baseline}; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }}
QScrollBar::handle:hover {{ background: {muted}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
    background: none; width: 0; height: 0;
}}
"""


def style_sheet(theme: Theme) -> str:
    """The Qt style sheet of the whole application.

    Dynamic properties it knows: primary="true" on buttons; role="name", "brand", "title", "muted" or "error" on labels;
    role="recent" or "alarm" on buttons; role="card" on frames; role="slim" on progress bars;
    role="list" on tables and trees.
    """
    families = ", ".join(f'"{family}"' for family in FONT_FAMILIES)
    colors = {token: getattr(theme, token) for token in Theme.__slots__ if token not in {"name", "is_dark"}}
    return _STYLE_SHEET.format(
        families=families,
        text_px=METRICS.text_px,
        title_px=METRICS.title_px,
        brand_px=METRICS.brand_px,
        name_px=METRICS.name_px,
        radius_px=METRICS.radius_px,
        **colors,
    )
