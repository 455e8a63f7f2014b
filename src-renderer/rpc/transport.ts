/** Carries text messages to the core and back, and reopens itself when the line breaks. */
export interface Transport {
  /** True while messages can be sent. */
  readonly open: boolean;
  /** Sends one message; only while `open`. */
  send(message: string): void;
  /** One listener each: the client. */
  onMessage(listener: (message: string) => void): void;
  onOpenChange(listener: (open: boolean) => void): void;
  close(): void;
}
