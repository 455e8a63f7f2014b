/** How long the browser takes something a person did as a reason for what comes after, in milliseconds. */
const ACTIVATION_MS = 5_000;
/** Somebody who pressed a key this recently is typing, in milliseconds. */
const TYPING_MS = 1_500;

/** What the person does in the window itself. The browser counts it for the frames in it as well; a view has to do with its own. */
export interface PersonInput {
  /** Whether the person did something in a frame just now, and not in the window around it. */
  inFrame(): boolean;
  stop(): void;
}

/**
 * Watches the window, and takes the focus back from a frame that takes it while the person types: the keys are not meant for it.
 * @param isOurs whether this is the frame of a view.
 */
export function watchPersonInput(isOurs: (element: Element | null) => boolean): PersonInput {
  // What came before is not known.
  let didAt = performance.now();
  let typedAt = -Infinity;
  let typedInto: HTMLElement | undefined;

  function onDone(event: Event): void {
    didAt = performance.now();
    // With Tab the person goes into the frame; a click is no typing.
    const types = event instanceof KeyboardEvent && event.key !== 'Tab' && event.target instanceof HTMLElement;
    typedAt = types ? didAt : -Infinity;
    typedInto = types && event.target instanceof HTMLElement ? event.target : undefined;
  }

  function onBlur(): void {
    if (performance.now() - typedAt < TYPING_MS && isOurs(document.activeElement)) typedInto?.focus();
  }

  window.addEventListener('pointerdown', onDone, true);
  window.addEventListener('keydown', onDone, true);
  window.addEventListener('blur', onBlur);
  return {
    inFrame: () => navigator.userActivation.isActive && performance.now() - didAt > ACTIVATION_MS,
    stop() {
      window.removeEventListener('pointerdown', onDone, true);
      window.removeEventListener('keydown', onDone, true);
      window.removeEventListener('blur', onBlur);
    },
  };
}
