/** What `gatehouse doctor --json` prints. */
export interface Checkup {
  ok: boolean
  checks: { check: string; status: string; message: string; todo?: string }[]
}
