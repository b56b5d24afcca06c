import type { ChildProcess } from 'node:child_process'

export const nginxBinary: string
export function documentedServer(place: {
  folder: string
  gatehousePort: number
  nginxPort: number
  files: string
}): string
export function startNginx(folder: string, servers: string): ChildProcess
