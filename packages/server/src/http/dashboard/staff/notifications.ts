import { ENVIRONMENTS } from '../../../context.ts'
import { listApplications } from '../../../domain/apps/applications.ts'
import { type Choices, changeChoice, readChoices } from '../../../domain/notifications/choices.ts'
import { readStaffMailState } from '../../../domain/notifications/context.ts'
import { appRoute, STAFF, staffRoute } from '../route.ts'
import { ChoiceBody, type Notifications } from './schemas.ts'

const list = staffRoute('GET /notifications', {
  allowed: 'signed in',
  async handle({ ctx, staff }): Promise<Notifications> {
    const applications = []
    for (const environment of ENVIRONMENTS) {
      const { read } = ctx.environments[environment].database
      const active = (await listApplications(read)).filter(({ archived }) => archived === null)
      applications.push(...active.map(({ aid, name }) => ({ environment, aid, name })))
    }
    const choices = await readChoices(ctx.control.read, staff, applications)
    return {
      mail: await readStaffMailState(ctx),
      email: staff.email,
      applications: applications.map((application) => ({
        ...application,
        choices: choices.get(application.aid) as Choices,
      })),
    }
  },
})

const change = appRoute('PATCH /notifications', {
  allowed: STAFF,
  action: 'me.notifications',
  body: ChoiceBody,
  async handle({ ctx, aid, staff, body: { kind, on }, note }) {
    await ctx.control.write((trx) => changeChoice(trx, staff.id, { aid, kind, isOn: on }))
    note({ kind, on })
  },
})

export const notificationRoutes = [list, change]
