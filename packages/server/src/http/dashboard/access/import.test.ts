import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listHistory } from '../../../domain/history/history.ts'
import { disableAfterFirstAction, signInAs } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import { useDashboardAccess } from '../../../testing/http/dashboard-access.ts'
import { send, sendSlowly } from '../../../testing/http/requests.ts'
import type { TestApplication } from '../../../testing/service.ts'
import type { Page } from '../schemas.ts'
import type { AuditEntry } from '../staff/schemas.ts'
import type { AccessList, ImportEvent, ImportResult, ImportRow } from './schemas.ts'

type AuditLog = Page<AuditEntry>

describe.each(databases)('access in the dashboard on $name', (database) => {
  const { service, staff, owner, app, at, list, grant } = useDashboardAccess(database)

  const importCsv = async (csv: string, query = '', to: TestApplication = app) => {
    const path = `/dashboard/api/${to.environment.name}/${to.aid}/access/import${query}`
    const headers = { ...staff.headers, 'content-type': 'application/octet-stream' }
    const { status, text } = await send(service.url, path, { method: 'POST', headers, body: csv })
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ImportEvent)
    const lines = events.flatMap((event) => ('row' in event ? [event.row] : []))
    const last = events.at(-1) as { done?: ImportResult; error?: { message: string } }
    return { status, body: { ...(last.done as ImportResult), lines, error: last.error } }
  }
  const outcomesOf = (lines: readonly ImportRow[]) =>
    lines.map(({ row, outcome }) => `${row} ${outcome}`).sort()
  const exportCsv = (form: string) =>
    send(
      service.url,
      `/dashboard/api/${app.environment.name}/${app.aid}/access/export.csv?form=${form}`,
      { headers: staff.headers },
    )

  it('is imported, after a dry run that says what becomes of each line', async () => {
    await grant('ann', { notify: false })
    const csv = 'rid,email\nnews,ann@example.com\nnews,bob@example.com\nnews,no-address\nno,c@d.e\n'
    const foreseen = (await importCsv(csv, '?dry_run=true')).body
    expect(foreseen).toMatchObject({ dry_run: true, rows: 4, granted: 1, unchanged: 1, refused: 2 })
    expect(outcomesOf(foreseen.lines)).toEqual(['2 unchanged', '3 new', '4 refused', '5 refused'])
    expect(foreseen.lines.find(({ row }) => row === 4)).toEqual({
      ...{ row: 4, outcome: 'refused', email: 'no-address', resource: 'Resource news' },
      ...{ reason: 'email: not a valid email address', cells: ['news', 'no-address'] },
    })
    expect((await list()).total).toBe(1)
    expect((await importCsv(csv)).body.lines).toEqual(foreseen.lines)
    expect((await list()).total).toBe(2)
    const [last] = (await listHistory(app.environment.database.read, app.aid)).slice(-1)
    expect(last).toMatchObject({ actor: `staff:${staff.member.id}` })
    for (const [bad, parameter] of [
      ['', 'csv'],
      ['rid\nnews', 'columns'],
      ['email\na@b.co', 'rid'],
      [`rid,email\n${'news,a@b.c\n'.repeat(200_001)}`, 'csv'],
      ['x'.repeat(66 * 2 ** 20), 'csv'],
    ] as const) {
      const { status, body } = await importCsv(bad)
      expect([status, body.error?.message.split(':')[0]]).toEqual([400, parameter])
    }
  })

  it('is not imported for somebody who was disabled while the file came', async () => {
    const { member, headers } = await signInAs(service, 'support')
    const path = `/dashboard/api/${app.environment.name}/${app.aid}/access/import`
    const type = { 'content-type': 'application/octet-stream' }
    const body = 'rid,email\nnews,late@example.com\n'
    const message = { method: 'POST', headers: { ...headers, ...type }, body }
    const response = await sendSlowly(service.url, path, message, () =>
      disableAfterFirstAction(service, member),
    )
    expect(response.status).toBe(401)
    expect((await list()).total).toBe(0)
    const { body: log } = await owner.request<AuditLog>('GET', `/audit?staff=${member.id}`)
    expect(log.data).toMatchObject([{ action: 'access.import', outcome: 'not_signed_in' }])
  })

  it('is not imported for somebody who left before the file was read, which is no outage', async () => {
    const { member, headers } = await signInAs(service, 'support')
    const path = `/dashboard/api/${app.environment.name}/${app.aid}/access/import`
    const body = 'rid,email\nnews,gone@example.com\n'
    const outgoing = request(new URL(path, service.url), {
      ...{ method: 'POST', agent: false },
      headers: { ...headers, 'content-type': 'application/octet-stream' },
    })
    outgoing.on('error', () => {})
    outgoing.end(body, () => outgoing.destroy())
    const outcomes = async () => {
      const { body: log } = await owner.request<AuditLog>('GET', `/audit?staff=${member.id}`)
      return log.data.map(({ action, outcome }) => `${action} ${outcome}`)
    }
    await expect.poll(outcomes).toEqual(['access.import invalid_request'])
    expect((await list()).total).toBe(0)
  })

  it('is looked for among the first 1,000 whom a few letters mean, and says so', async () => {
    // No id has a dash, so that only addresses match.
    const addresses = Array.from({ length: 1_001 }, (_, i) => `r-${String(i).padStart(4, '0')}`)
    const lines = addresses.map((name) => `news,${name}@example.com`)
    const { body } = await importCsv(['rid,email', ...lines].join('\n'), '?notify=true')
    expect(body).toMatchObject({ granted: 1_001 })

    for (const path of ['/access', '/people', '/mails']) {
      const found = async (q: string) =>
        (await at.request<AccessList>('GET', `${path}?q=${q}`)).body
      expect(await found('r-'), path).toMatchObject({ total: 1_000, is_cut: true })
      expect(await found('r-0'), path).toMatchObject({ total: 1_000, is_cut: false })
      expect(await found('r-1000'), path).toMatchObject({ total: 1, is_cut: false })
    }
    // They all have access to this resource, so its rid matches all of them.
    expect(await list('?q=news')).toMatchObject({ total: 1_000, is_cut: true })
    for (const path of ['/payments', '/subscriptions', '/deliveries']) {
      expect((await at.request('GET', `${path}?q=r-`)).body, path).toMatchObject({ is_cut: true })
      expect((await at.request('GET', `${path}?q=r-0`)).body, path).toMatchObject({ is_cut: false })
    }
  })

  it('is exported raw, to be imported again, and so that a spreadsheet runs nothing', async () => {
    await grant('ann', { user_ref: '=1+1', first_name: '@SUM(A1)', last_name: '-2', tags: '+x,y' })
    await grant('bob', { first_name: 'x;=1+1', last_name: '\uff1d1' })
    const raw = await exportCsv('raw')
    expect(raw.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(raw.headers['content-disposition']).toContain('attachment')
    expect(raw.text).toContain(',=1+1,,@SUM(A1),-2,')
    const safe = await exportCsv('spreadsheet')
    expect(safe.text).toContain(",'=1+1,,'@SUM(A1),'-2,")
    expect(safe.text).toContain(",x;'=1+1,'\uff1d1,")
    const cells = safe.text
      .split('\n')
      .slice(1)
      .flatMap((line) => line.split(','))
    expect(cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell))).toEqual([])

    const other = await service.newApplication()
    await other.addResource('news')
    expect((await importCsv(raw.text, '', other)).body).toMatchObject({ granted: 2, refused: 0 })
    expect(await other.client.getAccess({ rid: 'news', user_ref: '=1+1' })).toMatchObject({
      tags: ['+x', 'y'],
    })
  })
})
