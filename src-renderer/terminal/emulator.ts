import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';

export interface EmulatorOptions {
  element: HTMLElement;
  columns: number;
  rows: number;
  /** For screen readers. */
  label: string;
  /** Gets what a person typed or pasted. */
  ontype: (text: string) => void;
  /** The key that leaves the terminal was pressed. */
  onleave: () => void;
  onfocus: () => void;
}

/** A terminal on the screen. */
export interface Emulator {
  /** Settles when it is drawn. */
  write(bytes: Uint8Array): Promise<void>;
  /** Starts anew with these. */
  restart(bytes: Uint8Array): Promise<void>;
  /** Takes the size of its element; gives it in characters. Undefined when the element has none. */
  fit(): { columns: number; rows: number } | undefined;
  focus(): void;
  /** It shows what it has, and takes nothing more. */
  end(): void;
  dispose(): void;
}

/** As in a desktop's windows: the key for "the next pane". Tab belongs to the program. */
const LEAVE_KEY = 'F6';
const SCROLLBACK = 5000;

/** Draws a terminal into an element. */
export function createEmulator({ element, columns, rows, label, ontype, onleave, onfocus }: EmulatorOptions): Emulator {
  const terminal = new Terminal({
    cols: columns,
    rows,
    // The program's own line feeds come bare; see the core's live terminal.
    convertEol: true,
    scrollback: SCROLLBACK,
    cursorBlink: false,
    fontSize: 12,
    lineHeight: 1.3,
    fontFamily: style(element, '--font-mono'),
    theme: colours(element),
    // Links that a program prints are text here.
    linkHandler: { activate: () => undefined },
    screenReaderMode: false,
  });
  const fitting = new FitAddon();
  terminal.loadAddon(fitting);
  terminal.open(element);
  terminal.textarea?.setAttribute('aria-label', label);
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key === LEAVE_KEY) {
      if (event.type === 'keydown') onleave();
      event.preventDefault();
      return false;
    }
    // With something selected, Ctrl-C copies.
    return !(event.key === 'c' && (event.ctrlKey || event.metaKey) && terminal.hasSelection());
  });
  terminal.textarea?.addEventListener('focus', onfocus);
  let replaying = false;
  // A terminal also answers questions of programs; only one that a person uses may, and not to what was asked earlier.
  terminal.onData((text) => {
    if (!replaying && document.activeElement === terminal.textarea) ontype(text);
  });

  function write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => terminal.write(bytes, resolve));
  }

  return {
    write,
    async restart(bytes) {
      replaying = true;
      terminal.reset();
      await write(bytes);
      replaying = false;
    },
    fit() {
      const size = fitting.proposeDimensions();
      if (!size || !(size.cols > 1) || !(size.rows > 1)) return undefined;
      terminal.resize(size.cols, size.rows);
      return { columns: size.cols, rows: size.rows };
    },
    focus: () => terminal.focus(),
    end() {
      terminal.options.disableStdin = true;
      // Hides the cursor (DECTCEM).
      terminal.write('\x1b[?25l');
    },
    dispose: () => terminal.dispose(),
  };
}

function style(element: HTMLElement, name: string): string {
  return getComputedStyle(element).getPropertyValue(name).trim();
}

function colours(element: HTMLElement): Record<string, string> {
  const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
  const bright = names.map((name) => `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  return {
    background: style(element, '--term-bg'),
    foreground: style(element, '--term-ink'),
    cursor: style(element, '--term-ink'),
    ...Object.fromEntries([...names, ...bright].map((name, index) => [name, style(element, `--ansi-${index}`)])),
  };
}
