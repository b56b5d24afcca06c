import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { walkFiles } from './dashboard/files.ts'
import { walkLists } from './dashboard/lists.ts'
import { walkOverview } from './dashboard/overview.ts'
import { walkKeyboard, walkPerson } from './dashboard/person.ts'
import { walkAuditLog, walkCopy, walkStaffMail } from './dashboard/staff.ts'
import { useStage } from './dashboard/stage.ts'
import { setting } from './settings.ts'

const people = setting('DASHBOARD_PEOPLE', 100_000)
// The imported file names 400 of them, each once.
if (!(people >= 2_000)) throw new Error('DASHBOARD_PEOPLE must be 2000 or more')

describe.each(databases)(`the dashboard with ${people} people, on $name,`, (database) => {
  const stage = useStage(database, people)

  describe('the overview', () => walkOverview(stage))
  describe('lists', () => walkLists(stage))
  describe('the keyboard', () => walkKeyboard(stage))
  describe('files', () => walkFiles(stage))
  describe('a person', () => walkPerson(stage))
  describe('the other environment', () => walkCopy(stage))
  describe('email to staff', () => walkStaffMail(stage))
  describe('the owner', () => walkAuditLog(stage))

  it('complains about nothing on the way', () => expect(stage.server.browserErrors).toEqual([]))
})
