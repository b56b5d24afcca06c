/** The output of `gatehouse doctor --json`. */
export interface Checkup {
  ok: boolean
  checks: { check: string; status: string; message: string; todo?: string }[]
}
