"""The window's style sheet, written with the names of tokens."""

from pathlib import Path
from string import Template

from editor.qt import tokens
from editor.qt.tokens import Tokens, ink, mix

SHEET = Template("""
* { outline: 0; }
QWidget { color: $text; font-size: ${body}px; }
QMainWindow, QDialog, QMessageBox { background: $window; }
QMainWindow::separator { background: $window; width: 4px; height: 4px; }
QMainWindow::separator:hover { background: $accent; }
QToolTip { color: $text; background: $popup; border: 1px solid $border_strong; padding: 2px 6px;
    font-size: ${caption}px; }

QMenuBar { background: $window; padding: 0 4px; border: 0; }
QMenuBar::item { padding: 4px 6px; margin: 1px 0; border-radius: ${radius}px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; }
QMenu { background: $popup; border: 1px solid $border_strong; padding: 4px; }
QMenu::item { padding: 4px 20px 4px 8px; border-radius: ${radius}px; min-height: 16px; }
QMenu::icon { padding-left: 8px; }
QMenu::item:selected { background: $hover; color: $text; }
QMenu::item:disabled { color: $disabled; background: transparent; }
QMenu::separator { height: 1px; background: $border; margin: 4px 8px; }
QMenu::indicator { width: 16px; height: 16px; padding-left: 4px; }
QMenu::indicator:checked { image: url($folder/check.svg); }
QMenu::right-arrow { image: url($folder/right.svg); width: 12px; height: 12px; padding-right: 4px; }

QToolBar { background: $panel; border: 0; spacing: 2px; padding: 0 8px; }
QToolBar::separator { background: $border; width: 1px; margin: 8px 6px; }
QToolButton { background: transparent; border: 0; border-radius: ${radius}px; padding: 4px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed { background: $pressed; }
QToolButton:checked { background: $accent_soft; color: $text; }
QToolButton:focus { border: 0; }
QToolButton:disabled { color: $disabled; }
QToolButton[choice="true"] { padding-right: 18px; }
QToolButton::menu-indicator { image: none; }
QToolButton[choice="true"]::menu-indicator { image: url($folder/down.svg); width: 10px; height: 10px;
    subcontrol-origin: padding; subcontrol-position: right center; right: 4px; }

QStatusBar { background: $panel; color: $dim; border: 0; min-height: ${status}px; max-height: ${status}px;
    font-size: ${caption}px; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: $dim; font-size: ${caption}px; }

QDockWidget { background: $panel; titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget > QWidget { background: $panel; }
#panelTitle { background: $panel; }
#panelTitle QLabel { font-size: ${title}px; font-weight: 600; color: $text; background: transparent; }
#panelBody { background: $panel; }
#floatingFrame { background: $panel; border: 1px solid $border; }

QTabBar { background: $window; qproperty-drawBase: 0; border: 0; }
QTabBar::tab { background: $window; color: $dim; padding: 5px 9px; border: 0; font-size: ${title}px; min-height: 18px;
    border-top-left-radius: ${radius}px; border-top-right-radius: ${radius}px; }
QTabBar::tab:selected { background: $panel; color: $text; font-weight: 600; }
QTabBar::tab:hover:!selected { color: $text; background: $hover; }
QTabWidget::pane { border: 0; background: $panel; }

QLabel { background: transparent; }
QLabel[role="dim"] { color: $dim; }
QLabel[role="caption"] { color: $dim; font-size: ${caption}px; }
QLabel[role="title"] { font-size: ${title}px; font-weight: 600; }
QLabel[role="heading"] { font-size: ${heading}px; font-weight: 600; }
QLabel[role="error"] { color: $error_ink; }
QLabel[role="warning"] { color: $warning_ink; }
QLabel[role="ok"] { color: $ok_ink; }
QLabel[role="selected"] { color: $selection_ink; }
WeightRow QLabel[role="selected"] { font-weight: 600; }
QLabel:disabled { color: $disabled; }

QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox {
    background: $field; border: 1px solid $border; border-radius: ${radius}px; padding: 2px 6px; min-height: 18px;
    selection-background-color: $accent; selection-color: $on_accent; placeholder-text-color: $dim; }
QLineEdit:hover, QPlainTextEdit:hover { border-color: $border_strong; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QAbstractSpinBox:focus { border: 1px solid $accent; }
QLineEdit[state="wrong"] { border: 1px solid $error; }
QLineEdit[role="error"] { color: $error_ink; placeholder-text-color: $error_ink; }
QLineEdit:disabled { color: $disabled; }
QLineEdit[bare="true"] { border: 0; border-radius: 0; padding: 0 2px; min-height: 0; }

QPushButton { background: $button; border: 1px solid $border; border-radius: ${radius}px; padding: 2px 12px;
    min-height: 18px; min-width: 56px; }
QPushButton:hover { background: $hover; border-color: $border_strong; }
QPushButton:pressed { background: $pressed; }
QPushButton:focus { border-color: $accent; }
QPushButton:default { background: $accent; border-color: $accent; color: $on_accent; font-weight: 600; }
QPushButton:default:hover { background: $accent_hover; }
QPushButton:disabled { color: $disabled; background: $panel; border-color: $divider; }
QPushButton[flat="true"] { background: transparent; border: 0; color: $accent_ink; min-width: 0; padding: 2px 6px; }
QPushButton[flat="true"]:hover { background: $hover; }

QComboBox { background: $button; border: 1px solid $border; border-radius: ${radius}px; padding: 2px 6px;
    min-height: 18px; }
QComboBox:hover { background: $hover; border-color: $border_strong; }
QComboBox:focus { border-color: $accent; }
QComboBox[state="wrong"] { color: $error_ink; border-color: $error; placeholder-text-color: $error_ink; }
QComboBox:disabled { color: $disabled; }
QComboBox::drop-down { border: 0; width: 18px; }
QComboBox::down-arrow { image: url($folder/down.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: $popup; border: 1px solid $border_strong; padding: 4px;
    selection-background-color: $hover; selection-color: $text; }

QCheckBox, QRadioButton { spacing: 8px; background: transparent; min-height: 20px; }
QCheckBox:disabled, QRadioButton:disabled { color: $disabled; }
QCheckBox::indicator, QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $border_strong;
    background: $field; }
QAbstractItemView::indicator { width: 14px; height: 14px; border: 1px solid $border_strong; border-radius: 3px;
    background: $field; }
QAbstractItemView::indicator:hover { border-color: $accent; }
QAbstractItemView::indicator:checked { background: $accent; border-color: $accent; image: url($folder/tick.svg); }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QCheckBox::indicator { border-radius: 3px; }
QRadioButton::indicator { border-radius: 7px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover, QCheckBox::indicator:focus,
QRadioButton::indicator:focus { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url($folder/tick.svg); }
QRadioButton::indicator:checked { border-color: $accent; image: url($folder/dot.svg); }
QCheckBox::indicator:disabled { border-color: $divider; background: $panel; }
QCheckBox::indicator:indeterminate { image: url($folder/dash.svg); }

QAbstractItemView { background: $panel; border: 0; alternate-background-color: $row; selection-color: $text;
    selection-background-color: $selected_row; }
QAbstractItemView[role="framed"] { background: $field; border: 1px solid $border; border-radius: ${radius}px;
    padding: 2px; }
QAbstractItemView[role="framed"]:focus { border-color: $accent; }
QTreeView[role="framed"]::item { padding: 0 5px; }
QTreeView[role="table"]::item { padding: 0 5px; }
QTreeView[role="table"][indented="true"] QHeaderView::section:first { padding-left: 20px; }
QAbstractItemView::item { min-height: 22px; border: 0; }
QTreeView::item:hover, QListView::item:hover, QTableView::item:hover { background: $hover; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected {
    background: $selected_row; color: $text; }
QTreeView::branch { background: transparent; }
QTreeView::branch:closed:has-children { image: url($folder/right.svg); }
QTreeView::branch:open:has-children { image: url($folder/down.svg); }
QHeaderView::section { background: $panel; color: $dim; border: 0; border-bottom: 1px solid $divider;
    padding: 4px 8px; font-size: ${caption}px; }
#chainMap QHeaderView::section { padding: 4px 3px; }
QTableCornerButton::section { background: $panel; border: 0; }

QScrollArea { background: $panel; border: 0; }
QScrollArea > QWidget > QWidget { background: $panel; }
QScrollArea[role="plain"], QScrollArea[role="plain"] > QWidget > QWidget { background: transparent; }
#nodeProblems { border-top: 1px solid $divider; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $scroll; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: $scroll_hover; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }

QProgressBar { background: $field; border: 0; border-radius: 3px; height: 6px; max-height: 6px; color: transparent; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QSlider::groove:horizontal { height: 4px; background: $field; border-radius: 2px; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -4px 0; border-radius: 6px; background: $dim; }
QSlider::handle:horizontal:hover { background: $text; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSplitter::handle { background: $window; }
QGroupBox { border: 0; border-top: 1px solid $divider; margin-top: 16px; padding-top: 8px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: 0; }
QFrame[role="line"] { background: $divider; border: 0; max-height: 1px; min-height: 1px; }
QFrame[role="card"] { background: $raised; border: 1px solid $border; border-radius: ${radius}px; }
QFrame[role="card_on"] { background: $raised; border: 1px solid $accent; border-radius: ${radius}px; }
QFrame[role="popup"] { background: $popup; border: 1px solid $border_strong; border-radius: 6px; }
QFrame[role="popup"] QListView, QFrame[role="popup"] QLineEdit { background: $popup; }
#messageBar { background: $raised; border: 1px solid $border_strong; border-radius: ${radius}px; }
#messageBar[level="error"] { border-left: 3px solid $error; }
#messageBar[level="warning"] { border-left: 3px solid $warning; }
#messageBar[level="info"] { border-left: 3px solid $accent; }
#searchButton { background: $field; color: $dim; border: 1px solid $border; padding: 2px 8px; text-align: left; }
#searchButton:hover { border-color: $border_strong; color: $text; }
#workspaces QToolButton { padding: 3px 6px; color: $dim; }
#workspaces QToolButton:checked { background: $panel; color: $text; }
#workspaces QToolButton:hover { color: $text; }
""")

INKS = ("accent", "error", "ok", "selection", "warning")
"""Tokens that words have the colour of, as ``$name_ink``."""

SHAPES = {
    "down": '<path d="M3 5.5 8 10.5 13 5.5" {stroke}/>',
    "right": '<path d="M5.5 3 10.5 8 5.5 13" {stroke}/>',
    "check": '<path d="M3 8.5 6.5 12 13 4.5" {stroke}/>',
    "tick": '<path d="M3 8.5 6.5 12 13 4.5" {on_accent}/>',
    "dash": '<path d="M4 8h8" {stroke}/>',
    "dot": '<circle cx="8" cy="8" r="4" fill="{accent}"/>',
}


def write_shapes(theme: Tokens, folder: Path) -> None:
    """Write the few pictures that a style sheet can only take as files, tinted for the theme."""
    line = 'fill="none" stroke="{}" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"'
    for name, shape in SHAPES.items():
        body = shape.format(
            stroke=line.format(theme.dim), on_accent=line.format(theme.on_accent), accent=theme.accent
        )
        text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">{body}</svg>'
        (folder / f"{name}.svg").write_text(text, encoding="utf-8")


def style_sheet(theme: Tokens, folder: Path) -> str:
    """The style sheet of a theme; `folder` holds what `write_shapes` wrote."""
    return SHEET.substitute(
        theme.colors(),
        **{f"{name}_ink": ink(theme, name) for name in INKS},
        folder=folder.as_posix(),
        body=tokens.BODY,
        caption=tokens.CAPTION,
        title=tokens.TITLE,
        heading=tokens.HEADING,
        radius=tokens.RADIUS,
        status=tokens.STATUS_BAR,
        button=theme.raised,
        popup=theme.panel if theme.dark else theme.raised,
        accent_soft=mix(theme.panel, theme.accent, 0.28),
        accent_hover=mix(theme.accent, theme.text, 0.15),
        border_strong=mix(theme.border, theme.dim, 0.45),
        scroll=mix(theme.panel, theme.dim, 0.35),
        scroll_hover=mix(theme.panel, theme.dim, 0.65),
    )
