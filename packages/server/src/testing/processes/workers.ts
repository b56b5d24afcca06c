import { readFileSync } from 'node:fs'
import { RawConnection, signedBytes } from '../http/raw-http.ts'

/** The child processes of a process. */
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

/** A keep-alive connection: the same worker serves all of its requests. */
export interface KeepAliveConnection {
  /** Sends a signed request; returns the response status, 0 if there was no response. */
  ask(method: string, target: string): Promise<number>
  close(): void
}

/** Opens connections one after the other: the workers get them in turn. */
export async function openKeepAliveConnections(
  url: string,
  key: { aid: string; privateKey: string },
  count: number,
): Promise<KeepAliveConnection[]> {
  const connections: KeepAliveConnection[] = []
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
