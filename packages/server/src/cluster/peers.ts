/** The other processes that serve on the same machine. */
export interface Peers {
  /** This process's name among them; undefined for a single process. */
  name(): string | undefined
  /** Sends a message to all others. */
  broadcast(topic: string, content: unknown): void
  onBroadcast(topic: string, listener: (content: unknown) => void): void
  /** Asks all others, and returns the answers that arrive in time. */
  ask(topic: string): Promise<unknown[]>
  onQuestion(topic: string, answer: () => Promise<unknown>): void
}

export const NO_PEERS: Peers = {
  name: () => undefined,
  broadcast() {},
  onBroadcast() {},
  ask: async () => [],
  onQuestion() {},
}
