"""The canvas: one panel of the scene to draw on. Hands what mouse and keyboard do to the tools."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QWidget

from mlviz.draw.marks import Mark
from mlviz.interaction.gesture import Gesture, Pointer, ToolContext
from mlviz.interaction.tool_state import Place, ToolState
from mlviz.interaction.tools import PAN_TOOL, TOOLS, Tool, holding_tool
from mlviz.interaction.values import hovered_value
from mlviz.numerics.arrays import Array
from mlviz.scene.canvas_axes import fitted_limits
from mlviz.scene.change import Change
from mlviz.scene.history import Store
from mlviz.scene.scene import Scene
from mlviz.ui.canvas.input import ALT, BUTTONS, Keyboard, pointer_of, wheel_of
from mlviz.ui.canvas.panel_view import PanelView
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.explanation_card import Pinned, pinned
from mlviz.ui.paint.scene_view import brush_circle, marks_over_samples, panned, probe_is_behind, zoomed
from mlviz.ui.widgets.burst import Burst

_HOLD_MS = 40
"""A brush at rest goes on spraying this often."""
_HOVER_MS = 16
"""The place under the cursor is told at most this often: once a frame."""


class Canvas(PanelView):
    """One panel of the scene, to be looked at and drawn on.

    `hovered` carries the place under the cursor (x, y), or None, at most once a frame; it rests while a pin is set.
    """

    hovered = Signal(object)

    def __init__(
        self, store: Store, panel_index: int, hand: ToolState, style: Style, parent: QWidget | None = None
    ) -> None:
        super().__init__(store, panel_index, style, parent)
        self.hand = hand
        self.legend.lets_by = lambda: TOOLS[hand.tool].circle
        self._gesture: Gesture | None = None
        self._last: Pointer | None = None
        self._tool = PAN_TOOL
        self._decorations: tuple[Mark, ...] = ()
        self._inside, self._mouse = False, QPointF()
        calls = self.point, self.hover, self.cancel
        self._keyboard = Keyboard(self, hand, Burst(store, self), *calls, lambda: self.busy, self._holds)
        self._soon = QTimer(self, singleShot=True, interval=_HOVER_MS)
        self._soon.timeout.connect(self._tell_place)
        self._hold = QTimer(self, interval=_HOLD_MS)
        self._hold.timeout.connect(self._keep_on)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.grabGesture(Qt.GestureType.PinchGesture)
        hand.listen(self._hand_changed)
        hand.follow(self.update)
        self._hand_changed()

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way."""
        return self._gesture is not None

    # What can be asked of it

    def fit_view(self) -> None:
        """Show every sample with some air around."""
        self._look(self.store.scene.with_view(limits=fitted_limits(self.store.scene)))

    def zoom(self, factor: float, at: Place | None = None) -> None:
        """Look `factor` times closer; the place `at`, or else the middle, stays where it is."""
        limits = zoomed(self.store.scene.view.limits, factor, at)
        if limits is not None:
            self._look(self.store.scene.with_view(limits=limits))

    def toggle_pin(self) -> None:
        """Keep the probe where the cursor is, in the middle where there is none, or let it follow the cursor again."""
        self.hand.pinned = not self.hand.pinned
        if self.hand.pinned:
            x0, x1, y0, y1 = self.frame().limits
            self.store.look(self.store.scene.with_view(probe=self.hand.cursor or ((x0 + x1) / 2, (y0 + y1) / 2)))
        self._soon.start()

    def hover(self, place: Place | None) -> None:
        """The cursor, the mouse's or the keyboard's, is at that place."""
        self.hand.cursor = place if self.axes.shared else None
        if not self._soon.isActive():
            self._soon.start()

    def cancel(self) -> bool:
        """Take back the gesture under way; or else let go of one thing that is held: pin, slice, cursor, selection.

        Answers whether there was anything.
        """
        if self._gesture is not None:
            self._gesture.cancel()
            self._finish()
        elif self.hand.pinned:
            self.toggle_pin()
        elif self._sliced:
            self._look(self.store.scene.with_view(slice=None))
        elif self._keyboard.cursor is not None:
            self._keyboard.put(None)
        else:
            return self.hand.let_go(self.store.scene.dataset)
        return True

    def point(self, pointer: Pointer, pan: bool = False) -> None:
        """Press, drag or release: begin, continue or end a gesture of the active tool."""
        if pointer.kind == "press" and self._gesture is None:
            tool = PAN_TOOL if pan else holding_tool(self._context(), pointer) or TOOLS[self.hand.tool]
            if self.axes.shared or not tool.looks:
                self._begin(tool, pointer)
        elif self._gesture is not None and pointer.kind != "press":
            self._last = pointer
            self._gesture.feed(pointer)
            if pointer.kind == "release":
                self._finish()

    def preview_marks(self) -> list[Mark]:
        """Evidence, selection, the circle of the brush, and what the tool at work shows."""
        # While a gesture changes the samples, the evidence on the screen is that of other samples.
        known = not (self._editing or probe_is_behind(self.store, self.hand))
        marks = marks_over_samples(self.store.scene, self.axes, self.hand, self.picture if known else None)
        if self._inside and TOOLS[self.hand.tool].circle:
            marks += brush_circle(self.hand, self.unit())
        told = () if self.busy or not self._inside else hovered_value(self._context(), self.hand.cursor)
        return [*marks, *told, *self._decorations]

    def pinned(self) -> Pinned | None:
        """What is said about the pinned place."""
        known = self.hand.pinned and not self._editing
        return pinned(self.store.scene, self.picture, self.hand.cursor) if known else None

    def cross(self) -> Place | None:
        """The cursor of the keyboard, or of another canvas."""
        return self.hand.cursor if self.axes.shared and not self._inside else None

    # What happens to it

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture. Qt calls it for the second press of a double click too: that is two clicks."""
        if event.button() in BUTTONS and self.frame().area.contains(event.position()):
            self._keyboard.put(None)
            pan = ALT in event.modifiers() or BUTTONS[event.button()] == "middle"
            self.point(pointer_of(event, "press", self.frame(), self._last), pan)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue the gesture, or look at what is under the cursor."""
        pointer = pointer_of(event, "drag", self.frame(), self._last)
        self._mouse = event.position()
        self._inside = self._gesture is not None or self.frame().area.contains(self._mouse)
        if self._gesture is None:
            self._show_cursor(pointer.place, pointer.pixel)
        else:
            self.point(pointer)
        self.hover(tuple(pointer.place.tolist()) if self._inside else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture that this button began."""
        if self._last is not None and BUTTONS.get(event.button()) == self._last.button:
            self.point(pointer_of(event, "release", self.frame(), self._last))

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the cursor."""
        self._inside = False
        self.hover(self._keyboard.cursor)

    def hideEvent(self, event: QHideEvent) -> None:
        """End a gesture whose release would never be seen."""
        if self._gesture is not None:
            self._gesture.end()
            self._finish()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the cursor, or pan where the swipe goes sideways; with Shift, change the size of the brush."""
        right, notches = wheel_of(event)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.hand.radius *= 1.15**notches
        elif right:
            self._look(self.store.scene.with_view(limits=panned(self.store.scene.view.limits, right * self.unit()[0])))
        elif notches:
            self._zoom_at(event.position(), 1.2**notches)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the key means here, or leave it to the window."""
        if self._keyboard.wants(event):
            self._keyboard.press(event)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep the keys that mean something here from the window's shortcuts; zoom with two fingers."""
        match event:
            case QKeyEvent() if event.type() == QEvent.Type.ShortcutOverride and self._keyboard.wants(event):
                event.accept()
                return True
            case QNativeGestureEvent() if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self._zoom_at(event.position(), 1 + event.value())
                return True
            case QGestureEvent():
                pinch = event.gesture(Qt.GestureType.PinchGesture)
                if isinstance(pinch, QPinchGesture):
                    # The first of the two fingers has begun to draw.
                    if self._gesture is not None:
                        self.cancel()
                    self._zoom_at(QPointF(self.mapFromGlobal(pinch.centerPoint().toPoint())), pinch.scaleFactor())
                return True
        return super().event(event)

    # How it does it

    def _begin(self, tool: Tool, pointer: Pointer) -> None:
        self._keyboard.burst.settle()  # what comes next is another step of undo
        self._last, self._tool = pointer, tool
        self._held = None if self.axes.shared else self.axes.limits
        self._gesture = Gesture(tool.strokes, self._context(), pointer)
        if tool.repeats:
            self._hold.start()
        if tool is PAN_TOOL:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def _context(self) -> ToolContext:
        hand, unit = self.hand, self.unit()
        return ToolContext(self.store, hand, unit, self._decorate, panel=self._index, note_at=self.note_at)

    @property
    def _editing(self) -> bool:
        """Whether a gesture is under way that changes the samples."""
        return self.busy and not self._tool.looks

    @property
    def _sliced(self) -> bool:
        """Whether there is a line of the slice, and its tool in the hand."""
        return self.hand.tool == "slice" and self.store.scene.view.slice is not None

    def _holds(self) -> bool:
        return self.busy or self.hand.pinned or self._sliced

    def _tell_place(self) -> None:
        if not self.hand.pinned:
            self.hovered.emit(self.hand.cursor)

    def _finish(self) -> None:
        self._gesture = self._last = self._held = None
        self._hold.stop()
        self.settle_soon()
        self._hand_changed()
        self._soon.start()

    def _keep_on(self) -> None:
        if self._gesture is not None and self._last is not None:
            self._gesture.feed(replace(self._last, kind="hold"))

    def _zoom_at(self, position: QPointF, factor: float) -> None:
        # The tool under way has taken its measures of the view.
        if self._gesture is None and factor > 0:
            self.zoom(factor, tuple(self.frame().to_data([position.toTuple()])[0].tolist()))

    def _look(self, scene: Scene) -> None:
        if self._gesture is None and self.axes.shared:  # axes that are not those of the scene's view are seen whole
            self.store.look(scene)

    def _decorate(self, marks: tuple[Mark, ...]) -> None:
        self._decorations = marks
        self._refresh.start()

    def _changed(self, change: Change) -> None:
        super()._changed(change)
        moved = change.old.view.limits != change.new.view.limits or change.turned(self._index)
        if moved and self._inside and self._gesture is None and self._keyboard.cursor is None:
            # The view may have moved under a mouse that rests.
            self.hover(tuple(self.frame().to_data([self._mouse.toTuple()])[0].tolist()))
        if change.samples and self._gesture is not None and not self._gesture.context.pushing:
            self._gesture.abandon()
            self._finish()

    def _hand_changed(self) -> None:
        shape = Qt.CursorShape.OpenHandCursor if self.hand.tool == "move" else Qt.CursorShape.CrossCursor
        if self._gesture is None and self.cursor().shape() != shape:
            self.setCursor(shape)
        self._refresh.start()

    def _show_cursor(self, place: Array, pixel: Array) -> None:
        """Show whether a press would take hold of a sample, what was drawn, the pin or the legend."""
        context, pointer, tool = self._context(), Pointer(place, place), TOOLS[self.hand.tool]
        grabs = tool.grabs and context.hit(place) is not None
        holds = tool.hits(context, pointer) or holding_tool(context, pointer) is not None
        if grabs or holds or self.legend_box().contains(*pixel.tolist()):
            upright = grabs and self.hand.tool == "value"
            self.setCursor(Qt.CursorShape.SizeVerCursor if upright else Qt.CursorShape.SizeAllCursor)
        else:
            self._hand_changed()
