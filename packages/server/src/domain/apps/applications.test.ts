import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { changeAppSettings } from '../../testing/smtp/outbox.ts'
import { useService } from '../../testing/use-service.ts'
import { listHistory } from '../history/history.ts'

describe.each(databases)('the settings of an application on $name', (database) => {
  const service = useService(database)

  it('have a history in which each change begins where the one before it ended', async () => {
    const app = await service.newApplication()
    const names = Array.from({ length: 8 }, (_, n) => `Magazine ${n}`)
    await Promise.all(names.map((name) => changeAppSettings(app, { name })))
    const history = await listHistory(app.environment.database.read, app.aid, {})
    const changes = history.filter(({ action }) => action === 'settings changed')
    expect(changes).toHaveLength(names.length)
    expect(changes.slice(1).map(({ before }) => before)).toEqual(
      changes.slice(0, -1).map(({ after }) => after),
    )
    await service.requireInvariants()
  })
})
