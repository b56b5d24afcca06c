import { readFileSync } from 'node:fs'
import { RawConnection, signedBytes } from './raw-http.ts'

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A connection that is kept: always to the same worker. */
export interface KeptConnection {
  /** Sends a signed request, and returns the status of its answer; 0 if there was none. */
  ask(method: string, target: string): Promise<number>
  close(): void
}

/** Several connections, one after the other: workers take turns at them. */
export async function keepConnections(
  url: string,
  key: { aid: string; privateKey: string },
  count: number,
): Promise<KeptConnection[]> {
  const connections: KeptConnection[] = []
  for (let n = 0; n < count; n++) {
    const connection = await RawConnection.open(url)
    connections.push({
      async ask(method, target) {
        await connection.write(signedBytes(key, { method, target }))
        return (await connection.answer())?.status ?? 0
      },
      close: () => connection.close(),
    })
  }
  return connections
}
