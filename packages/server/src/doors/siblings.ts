/** The processes that serve beside this one on the same machine. */
export interface Siblings {
  /** What this process is called among them; undefined while it is alone. */
  name(): string | undefined
  /** Tells all others. */
  tell(topic: string, content: unknown): void
  onTold(topic: string, listen: (content: unknown) => void): void
  /** Asks all others, and returns what those answered who did so in time. */
  ask(topic: string): Promise<unknown[]>
  onAsked(topic: string, answer: () => Promise<unknown>): void
}

export const ALONE: Siblings = {
  name: () => undefined,
  tell() {},
  onTold() {},
  ask: async () => [],
  onAsked() {},
}
