"""Light and dark: the Fusion style with palettes of our own.

Qt's own switch between light and dark does nothing on a plain X11 desktop, and the desktop's palette differs from
machine to machine; these look the same everywhere.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from mlviz.assets import asset

_MESSAGES = ("information", "question", "warning", "critical")
"""The kinds of messages that have an icon."""
_Role = QPalette.ColorRole

_LIGHT = {
    _Role.Window: "#f3f4f6",
    _Role.WindowText: "#1c1f24",
    _Role.Base: "#ffffff",
    _Role.AlternateBase: "#f3f6fa",
    _Role.ToolTipBase: "#ffffff",
    _Role.ToolTipText: "#1c1f24",
    _Role.PlaceholderText: "#646b75",
    _Role.Text: "#1c1f24",
    _Role.Button: "#e9ebee",
    _Role.ButtonText: "#1c1f24",
    _Role.BrightText: "#b3150b",
    _Role.Light: "#ffffff",
    _Role.Midlight: "#f2f3f5",
    _Role.Mid: "#bfc4cb",
    _Role.Dark: "#9aa1ab",
    _Role.Shadow: "#6d7480",
    _Role.Highlight: "#0a64ad",
    _Role.HighlightedText: "#ffffff",
    _Role.Accent: "#0a64ad",
    _Role.Link: "#0a5a9c",
    _Role.LinkVisited: "#6a3aa0",
}
# The window is clearly lighter than the base: an unchecked box would vanish otherwise.
_DARK = {
    _Role.Window: "#2b2d31",
    _Role.WindowText: "#eef0f3",
    _Role.Base: "#1d1f23",
    _Role.AlternateBase: "#25272c",
    _Role.ToolTipBase: "#3a3d43",
    _Role.ToolTipText: "#eef0f3",
    _Role.PlaceholderText: "#9aa1ab",
    _Role.Text: "#eef0f3",
    _Role.Button: "#3a3d43",
    _Role.ButtonText: "#eef0f3",
    _Role.BrightText: "#ff9d92",
    _Role.Light: "#565a62",
    _Role.Midlight: "#464a51",
    _Role.Mid: "#25272b",
    _Role.Dark: "#17181b",
    _Role.Shadow: "#0c0d0f",
    _Role.Highlight: "#3d8bdb",
    _Role.HighlightedText: "#0b0d10",
    _Role.Accent: "#4a9df2",
    _Role.Link: "#7cbaff",
    _Role.LinkVisited: "#cba6ff",
}
_DETAILS = {
    "light": {"edge": "#6d7480", "box": "#0a64ad", "focus": "#001e3c", "checked": "#cdd3da", "faded": "#8b919b"},
    "dark": {"edge": "#9aa1ab", "box": "#2a78c6", "focus": "#a9d2ff", "checked": "#565a62", "faded": "#7b818b"},
}
"""What a palette has no role for: edges and grounds of boxes, the frame of what has the keyboard, disabled texts."""
_TEXTS = (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.HighlightedText, _Role.PlaceholderText)


def palette(theme: str) -> QPalette:
    """The palette of "light" or "dark", with all roles, also for what is disabled."""
    colours = _DARK if theme == "dark" else _LIGHT
    made = QPalette()
    for role, name in colours.items():
        made.setColor(QPalette.ColorGroup.All, role, QColor(name))
    disabled = QPalette.ColorGroup.Disabled
    for role in _TEXTS:
        made.setColor(disabled, role, QColor(_DETAILS[theme]["faded"]))
    for role, like in ((_Role.Base, _Role.Window), (_Role.Highlight, _Role.Mid), (_Role.Accent, _Role.Mid)):
        made.setColor(disabled, role, QColor(colours[like]))
    return made


def _style_sheet(theme: str) -> str:
    """What Fusion and the desktop leave to be wished.

    Boxes and rounds have an edge that can be seen, disabled ones a fainter one: Fusion draws theirs darker than the
    window, also on dark. Messages have icons of our own, and the buttons of dialogs none: the desktop's would look
    different on each.
    """
    boxes = ("QCheckBox", "QGroupBox", "QAbstractItemView", "QRadioButton")
    ink = _DETAILS[theme]
    check, partly = (asset("icons", f"{name}.svg").as_posix() for name in ("check", "partly"))

    def rule(state: str, words: str) -> str:
        return f"{', '.join(f'{kind}::indicator{state}' for kind in boxes)} {{ {words} }}"

    def dot(name: str) -> str:
        middle = "qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5, stop: 0"
        return f"{middle} {ink[name]}, stop: 0.55 {ink[name]}, stop: 0.65 palette(base), stop: 1 palette(base))"

    rules = (
        rule("", f"width: 14px; height: 14px; border: 1px solid {ink['edge']}; border-radius: 3px;"),
        rule(":unchecked", "background: palette(base);"),
        rule(":checked", f'background: {ink["box"]}; border-color: {ink["box"]}; image: url("{check}");'),
        rule(":indeterminate", f'background: {ink["box"]}; border-color: {ink["box"]}; image: url("{partly}");'),
        "QRadioButton::indicator { border-radius: 8px; }",
        f"QRadioButton::indicator:checked {{ border-color: {ink['edge']}; image: none; background: {dot('box')}; }}",
        rule(":focus", f"width: 12px; height: 12px; border: 2px solid {ink['focus']};"),
        f"QToolButton:focus {{ border: 2px solid {ink['focus']}; border-radius: 4px; background: palette(button); }}",
        f"QToolButton:focus:checked {{ background: {ink['checked']}; }}",
        rule(":disabled", f"border-color: {ink['faded']}; background: palette(window);"),
        rule(":disabled:checked", f"background: {ink['faded']};"),
        "QAbstractItemView::indicator:selected { border-color: palette(highlighted-text); }",
        f"QRadioButton::indicator:checked:disabled {{ border-color: {ink['faded']}; background: {dot('faded')}; }}",
        "QListWidget::item { min-height: 18px; }",  # higher than the box before it, which would be cut
        *(
            f'QMessageBox {{ messagebox-{kind}-icon: url("{asset("icons", f"message-{kind}.svg").as_posix()}"); }}'
            for kind in _MESSAGES
        ),
        "QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }",
    )
    return "\n".join(rules)


def system_theme() -> str:
    """What the desktop asks for, "light" where it doesn't say."""
    scheme = QGuiApplication.styleHints().colorScheme()
    return "dark" if scheme == Qt.ColorScheme.Dark else "light"


def apply(app: QCoreApplication | None, theme: str) -> str:
    """Dress the whole program in "light", "dark" or "system"; returns which of light and dark it became."""
    shown = system_theme() if theme == "system" else theme
    if isinstance(app, QApplication):
        sheet, colours = _style_sheet(shown), palette(shown)
        # Another window of the program finds it dressed: that is not done again, every widget there is would be.
        if app.styleSheet() != sheet or app.palette() != colours:
            # A style dresses every widget too; it stays with the sheet, which is set together with it.
            if not app.styleSheet():
                app.setStyle(QStyleFactory.create("Fusion"))
            app.setPalette(colours)
            app.setStyleSheet(sheet)
    return shown


def shown() -> str:
    """Which of "light" and "dark" the program is dressed in."""
    return "dark" if QGuiApplication.palette().color(_Role.Window).lightness() < 128 else "light"
