/** The other processes that serve on the same machine. */
export interface Peers {
  /** This process's name among them; undefined for a single process. */
  name(): string | undefined
  /** Sends a message to all others. */
  tell(topic: string, content: unknown): void
  onTold(topic: string, listen: (content: unknown) => void): void
  /** Asks all others, and returns the answers that arrive in time. */
  ask(topic: string): Promise<unknown[]>
  onAsked(topic: string, answer: () => Promise<unknown>): void
}

export const NO_PEERS: Peers = {
  name: () => undefined,
  tell() {},
  onTold() {},
  ask: async () => [],
  onAsked() {},
}
