import { expect, vi } from 'vitest'
import { updateRows } from '../db/queries/rows.ts'
import { beginSession } from '../domain/staff/sessions.ts'
import { addStaff, disableStaff, type Role, type StaffMember } from '../domain/staff/staff.ts'
import { newId } from '../ids.ts'
import { send } from './http/requests.ts'
import type { TestApplication, TestService } from './service.ts'

/** A response of the dashboard's API; `body` is its parsed JSON. */
export interface DashboardResponse<T = unknown> {
  status: number
  body: T
  text: string
}

/** A signed-in staff member. */
export interface TestStaff {
  member: StaffMember
  /** Sends a request; `path` is what follows `/dashboard/api`. */
  request<T>(method: string, path: string, body?: unknown): Promise<DashboardResponse<T>>
  /** The same for one application; `path` is what follows its AID. */
  of(app: TestApplication): {
    request<T>(method: string, path: string, body?: unknown): Promise<DashboardResponse<T>>
    /** Sends bytes instead of JSON. */
    upload<T>(
      method: 'POST' | 'PUT',
      path: string,
      bytes: string | Uint8Array,
    ): Promise<DashboardResponse<T>>
  }
  headers: Record<string, string>
  /** Counts as a confirmation of who they are. */
  confirm(): Promise<void>
}

export async function signInAs(service: TestService, role: Role): Promise<TestStaff> {
  const { control, environments } = service.ctx
  const now = environments.production.realTime()
  const { member, token } = await control.write(async (trx) => {
    const input = { email: `${newId()}@staff.example`, name: 'Test', role, password: 'none' }
    const added = await addStaff(trx, input, now)
    return { member: added, token: await beginSession(trx, added.id, 'test', now) }
  })
  const headers = { cookie: `gatehouse-session=${token}`, 'sec-fetch-site': 'same-origin' }

  async function request<T>(
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<DashboardResponse<T>> {
    const content = type === 'application/json' ? JSON.stringify(body) : (body as string)
    const { status, text } = await send(service.url, `/dashboard/api${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: content }),
    })
    return { status, text, body: (text === '' ? undefined : JSON.parse(text)) as T }
  }

  async function confirm(): Promise<void> {
    const confirmed = { confirmed_at: environments.production.realTime() }
    await control.write((trx) =>
      updateRows(trx, 'staff_sessions', { staff_id: member.id }, confirmed),
    )
  }

  return {
    ...{ member, headers, confirm },
    request: (method, path, body) => request(method, path, body),
    of({ environment, aid }) {
      const at = (path: string) => `/${environment.name}/${aid}${path}`
      return {
        request: (method, path, body) => request(method, at(path), body),
        upload: (method, path, bytes) =>
          request(method, at(path), bytes, 'application/octet-stream'),
      }
    },
  }
}

/** Disables a staff member as soon as the audit log has an entry of theirs, while the action is still running. */
export async function disableAfterFirstAction(
  { ctx: { control }, clock }: TestService,
  { id }: StaffMember,
): Promise<void> {
  const begun = control.read.selectFrom('audit').select('seq').where('staff_id', '=', id)
  await vi.waitFor(async () => expect(await begun.execute()).toHaveLength(1))
  await control.write((trx) => disableStaff(trx, id, clock.now))
}

/** The body of a response to a request that is refused. */
export interface Refusal {
  error: { code: string; message: string; parameter?: string; problem?: string }
}
