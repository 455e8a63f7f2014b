/** How long the browser takes something a person did as a reason for what comes after, in milliseconds. */
const ACTIVATION_MS = 5_000;
/** How long after Tab the focus may come to a frame, in milliseconds. */
const TAB_MS = 500;

/** What the person does in the window itself. The browser counts it for the frames in it as well; a view has to do with its own. */
export interface PersonInput {
  /** Whether the person did something in a frame just now, and not in the window around it. */
  inFrame(): boolean;
  stop(): void;
}

/**
 * Watches the window, and gives the focus back when a frame takes it by itself: keys are not to go where the person neither pointed
 * nor tabbed.
 * @param frameOf the frame of the view, while there is one.
 */
export function watchPersonInput(frameOf: () => HTMLElement | undefined): PersonInput {
  // What came before is not known.
  let didAt = performance.now();
  let tabbedAt = -Infinity;
  let focused: HTMLElement | undefined;
  const hovers = matchMedia('(hover: hover)').matches;

  function onDone(event: Event): void {
    didAt = performance.now();
    if (event instanceof KeyboardEvent && event.key === 'Tab') tabbedAt = didAt;
  }

  function onFocus({ target }: FocusEvent): void {
    if (target instanceof HTMLElement && target !== frameOf()) focused = target;
  }

  /** The window hears of a focus that goes into a frame as of one that leaves; where it went is known a moment later. */
  function onBlur(): void {
    setTimeout(takeBack);
  }

  function takeBack(): void {
    const frame = frameOf();
    if (!frame || document.activeElement !== frame) return;
    // Fingers do not hover: there every tap may have been meant.
    if (!hovers || frame.matches(':hover') || performance.now() - tabbedAt < TAB_MS) return;
    frame.blur();
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }

  window.addEventListener('pointerdown', onDone, true);
  window.addEventListener('keydown', onDone, true);
  window.addEventListener('focusin', onFocus);
  window.addEventListener('blur', onBlur);
  return {
    inFrame: () => navigator.userActivation.isActive && performance.now() - didAt > ACTIVATION_MS,
    stop() {
      window.removeEventListener('pointerdown', onDone, true);
      window.removeEventListener('keydown', onDone, true);
      window.removeEventListener('focusin', onFocus);
      window.removeEventListener('blur', onBlur);
    },
  };
}
