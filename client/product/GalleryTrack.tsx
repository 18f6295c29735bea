import { useEffect, useEffectEvent, useRef } from "react";
import type { ReactNode } from "react";
import { useIsPinchZoomed } from "./pinchZoom";
import "./GalleryTrack.css";

interface GalleryTrackProps {
  /** The index of the picture to show. */
  chosen: number;
  /** Called when another picture was swiped into sight. */
  onChoose: (index: number) => void;
  /** One `GalleryTrack-slide` for each picture. */
  children: ReactNode;
}

/** The pictures side by side in a scroll container, which the browser moves along with the finger and snaps. */
export function GalleryTrack({ chosen, onChoose, children }: GalleryTrackProps) {
  const track = useRef<HTMLDivElement>(null);
  // Set while the track scrolls to the chosen picture: those that it passes are not chosen.
  const target = useRef<number | null>(null);
  const isPinched = useIsPinchZoomed();

  function follow() {
    const index = shownIndex(track.current);
    if (index === target.current) target.current = null;
    if (target.current === null && index !== undefined && index !== chosen) onChoose(index);
  }
  const settle = useEffectEvent((element: HTMLElement, isResized: boolean) => {
    if (isResized) element.scrollTo({ left: placeOf(chosen, element), behavior: "instant" });
    // The visitor may have swiped before the page was hydrated.
    else follow();
  });

  useEffect(() => {
    const element = track.current;
    if (element === null) return;
    let { clientWidth } = element;
    // A new width moves the pictures. Inside a dialog, the track has no width until the dialog is open.
    const resizes = new ResizeObserver(() => {
      settle(element, element.clientWidth !== clientWidth);
      ({ clientWidth } = element);
    });
    resizes.observe(element);
    return () => {
      resizes.disconnect();
    };
  }, []);

  useEffect(() => {
    const element = track.current;
    const shown = shownIndex(element);
    // While the track scrolls to another picture, the one in sight is about to change.
    if (element === null || shown === undefined || (shown === chosen && target.current === null)) return;
    target.current = chosen;
    // Smoothly only to a neighbour: a scroll past several pictures says nothing.
    const behavior = Math.abs(chosen - shown) === 1 ? "auto" : "instant";
    element.scrollTo({ left: placeOf(chosen, element), behavior });
  }, [chosen]);

  return (
    <div
      ref={track}
      className={isPinched ? "GalleryTrack GalleryTrack--still" : "GalleryTrack"}
      onScroll={follow}
      onWheel={() => {
        target.current = null;
      }}
      onPointerDown={() => {
        target.current = null;
      }}
    >
      {children}
    </div>
  );
}

/** Where a picture begins. In a language that is written from right to left, pictures after the first are left of it. */
function placeOf(index: number, { clientWidth }: HTMLElement): number {
  return index * clientWidth * (document.dir === "rtl" ? -1 : 1);
}

/** The index of the picture that is most in sight, if the track is laid out. */
function shownIndex(track: HTMLElement | null): number | undefined {
  return track === null || track.clientWidth === 0 ? undefined : Math.round(Math.abs(track.scrollLeft) / track.clientWidth);
}
