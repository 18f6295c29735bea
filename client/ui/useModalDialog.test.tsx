import { act, render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useModalDialog } from "./useModalDialog";

function Dialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return <dialog ref={useModalDialog(open, onClose)} />;
}

/** Opens a dialog whose next frame comes when the test says so. */
function openDialog(onClose = () => undefined) {
  vi.useFakeTimers();
  const shown = render(<Dialog open={false} onClose={onClose} />);
  const dialog = shown.container.querySelector("dialog") ?? expect.fail("no dialog");
  const showModal = vi.spyOn(dialog, "showModal");
  shown.rerender(<Dialog open onClose={onClose} />);
  return { ...shown, dialog, showModal };
}

it("is shown at once, and modal after the next frame", () => {
  const { dialog, showModal } = openDialog();
  expect(dialog.open).toBe(true);
  expect(showModal).not.toHaveBeenCalled();
  act(() => { vi.runAllTimers(); });
  expect(showModal).toHaveBeenCalledOnce();
  expect(dialog.open).toBe(true);
});

it("keeps the page from scrolling as long as it is modal", () => {
  const { rerender } = openDialog();
  const isKept = () => document.documentElement.hasAttribute("data-modal");
  expect(isKept()).toBe(false);
  act(() => { vi.runAllTimers(); });
  expect(isKept()).toBe(true);
  rerender(<Dialog open={false} onClose={() => undefined} />);
  expect(isKept()).toBe(false);
});

it("closes on Escape before it is modal", () => {
  const onClose = vi.fn();
  const { dialog, showModal } = openDialog(onClose);
  act(() => { document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })); });
  expect(dialog.open).toBe(false);
  expect(onClose).toHaveBeenCalledOnce();
  expect(showModal).not.toHaveBeenCalled();
});

it.each([new KeyboardEvent("keydown", { key: "Tab" }), new MouseEvent("pointerdown")])(
  "is modal before a press takes effect (%o)",
  (press) => {
    const { showModal } = openDialog();
    act(() => { document.dispatchEvent(press); });
    expect(showModal).toHaveBeenCalledOnce();
    act(() => { vi.runAllTimers(); });
    expect(showModal).toHaveBeenCalledOnce();
  },
);

it("does not become modal after it was closed", () => {
  const { dialog, showModal, rerender } = openDialog();
  rerender(<Dialog open={false} onClose={() => undefined} />);
  act(() => { vi.runAllTimers(); });
  expect(dialog.open).toBe(false);
  expect(showModal).not.toHaveBeenCalled();
});

it("leaves Escape to the browser once it is modal", () => {
  const onClose = vi.fn();
  const { dialog } = openDialog(onClose);
  act(() => { vi.runAllTimers(); });
  act(() => { document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })); });
  expect(dialog.open).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
});
