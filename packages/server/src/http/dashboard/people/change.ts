import { Type } from 'typebox'
import { erasePerson } from '../../../domain/people/erase-person.ts'
import { mergeUsers } from '../../../domain/people/merge.ts'
import { collectPerson } from '../../../domain/people/person-data.ts'
import { addReference, setEmail, setNames } from '../../../domain/users/change.ts'
import { email } from '../../../domain/users/email.ts'
import { endLinks } from '../../../domain/users/reader-links.ts'
import { invalid } from '../../../errors.ts'
import * as fields from '../../../fields.ts'
import { readField, readOptionalField } from '../../../parameters.ts'
import { type AppRequest, appRoute, SUPPORT } from '../route.ts'
import type { EraseDone, LinksEnded, MergeDone } from './schemas.ts'
import { toPersonDetails } from './view.ts'

const given = (description: string) => Type.Optional(Type.String({ maxLength: 1_000, description }))

const details = async ({ env, aid }: AppRequest, uid: string) =>
  await env.database.snapshot((db) => toPersonDetails(db, aid, uid, env.clock()))

/** Returns who is changed and by whom, and adds the uid to the audit entry. */
function subjectOf({ aid, params, actor, note }: AppRequest) {
  const uid = params.uid ?? ''
  note({ uid })
  return { aid, uid, actor }
}

const change = appRoute('PATCH /people/:uid', {
  management: 'PATCH /users/:uid',
  allowed: SUPPORT,
  action: 'person.change',
  body: Type.Object({
    email: given('The new email address.'),
    first_name: given("The person's first name; empty removes it."),
    last_name: given("The person's last name; empty removes it."),
    notify: Type.Optional(
      Type.Boolean({
        description: 'Whether the old and the new address get an email; true by default.',
      }),
    ),
    never_theirs: Type.Optional(
      Type.Boolean({
        description:
          'Whether the old address never belonged to the person, as after a typo. All links in emails so far then end, ' +
          'and unsent emails go to the new address. Only together with email; false by default.',
      }),
    ),
  }),
  async handle(call) {
    const { env, body } = call
    const who = subjectOf(call)
    const address = readOptionalField('email', body.email, email)
    const names = {
      ...(body.first_name === undefined ? {} : { first_name: readName('first_name', body) }),
      ...(body.last_name === undefined ? {} : { last_name: readName('last_name', body) }),
    }
    const notice =
      body.notify === false ? undefined : { delivery: env.delivery, realTime: env.realTime() }
    const neverTheirs = body.never_theirs === true
    if (neverTheirs && address === undefined) throw invalid('never_theirs', 'needs a new email')
    await env.database.write(async (trx) => {
      await setNames(trx, who, names, env.clock())
      if (address === undefined) return
      await setEmail(trx, who, address, env.clock(), { notice, neverTheirs })
    })
    return await details(call, who.uid)
  },
})

/** An empty name removes it. */
const readName = <K extends 'first_name' | 'last_name'>(name: K, body: { [N in K]?: string }) =>
  readOptionalField(name, body[name], fields.personName) ?? ''

const addRef = appRoute('POST /people/:uid/refs', {
  management: 'POST /users/:uid/references',
  allowed: SUPPORT,
  action: 'person.add-reference',
  body: Type.Object({ ref: Type.String({ description: "Your site's user_ref for the person." }) }),
  async handle(call) {
    const { env, body } = call
    const who = subjectOf(call)
    const ref = readField('ref', body.ref, fields.userRef)
    await env.database.write((trx) => addReference(trx, who, ref, env.clock()))
    return await details(call, who.uid)
  },
})

/** Ends every link that leads to the files and subscriptions of this user. */
const endAllLinks = appRoute('POST /people/:uid/end-links', {
  management: 'POST /users/:uid/end-links',
  allowed: SUPPORT,
  action: 'person.end-links',
  async handle(call): Promise<LinksEnded> {
    const { env } = call
    const who = subjectOf(call)
    const ended = env.clock()
    await env.database.write((trx) => endLinks(trx, who, ended))
    return { uid: who.uid, ended }
  },
})

/** Moves everything this user has to another user, who remains. */
const merge = appRoute('POST /people/:uid/merge', {
  management: 'POST /users/:uid/merge',
  allowed: SUPPORT,
  action: 'person.merge',
  body: Type.Object({
    into: Type.String({
      ...{ minLength: 1, maxLength: 255 },
      description: 'The uid of the person who remains.',
    }),
  }),
  async handle(call): Promise<MergeDone> {
    const { env, body, note } = call
    const { aid, uid: from, actor } = subjectOf(call)
    const { into } = body
    note({ into })
    const done = await env.database.write((trx) =>
      mergeUsers(trx, { aid, from, into, actor }, env.clock()),
    )
    return { from, into, ...done }
  },
})

const erase = appRoute('POST /people/:uid/erase', {
  management: 'POST /users/:uid/erase',
  allowed: SUPPORT,
  action: 'person.erase',
  confirmation: 'recent',
  async handle(call): Promise<EraseDone> {
    const { ctx, env } = call
    const who = subjectOf(call)
    const done = await erasePerson(ctx.control, env, who)
    return { uid: who.uid, ...done }
  },
})

/** Returns all data stored about a person, as a file. */
const exportPerson = appRoute('GET /people/:uid/export', {
  management: 'GET /users/:uid/export',
  allowed: SUPPORT,
  action: 'person.export',
  confirmation: 'recent',
  async handle({ env, aid, params, reply }) {
    const uid = params.uid ?? ''
    const data = await env.database.snapshot((db) => collectPerson(db, aid, uid))
    reply.type('application/json; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="person-${data.user.uid}.json"`)
    return `${JSON.stringify(data, null, 2)}\n`
  },
})

export const changeRoutes = [change, addRef, endAllLinks, merge, erase, exportPerson]
