import { Type } from 'typebox'
import type { Environment } from '../../../context.ts'
import { FOREVER } from '../../../db/tables.ts'
import { extendAccess } from '../../../domain/access/extend.ts'
import { type PreviewedGrant, previewGrant } from '../../../domain/access/grants/preview.ts'
import { clocksOf } from '../../../domain/payments/context.ts'
import { email } from '../../../domain/users/email.ts'
import * as fields from '../../../fields.ts'
import { readField, readOptionalField } from '../../../parameters.ts'
import { endOrNull } from '../../../records/end.ts'
import { appRoute, SUPPORT } from '../route.ts'
import type { GrantPreview } from './schemas.ts'
import { toAccessItem } from './view.ts'

const given = (description: string) =>
  Type.Optional(Type.String({ maxLength: 20_000, description }))
const end = Type.Union([Type.Integer({ minimum: 0, maximum: FOREVER - 1 }), Type.Null()], {
  description: 'When access ends, in seconds since 1970; null for no end date.',
})
const message = given('A personal message in the email.')

const grant = appRoute('POST /access/grant', {
  management: 'POST /access',
  allowed: SUPPORT,
  action: 'access.grant',
  body: Type.Object({
    rid: Type.String({ description: 'The id of the resource, as your site names it.' }),
    email: Type.String({ description: "The reader's email address." }),
    user_ref: given("Your site's user_ref for the reader."),
    expires: Type.Optional(end),
    message,
    first_name: given("The reader's first name."),
    last_name: given("The reader's last name."),
    tags: given('Comma-separated. If omitted, existing tags stay.'),
    notify: Type.Optional(
      Type.Boolean({ description: 'Whether the reader gets an email; true by default.' }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'Whether to return a preview instead of granting; false by default.',
      }),
    ),
  }),
  async handle({ env, aid, body, actor, note }) {
    const input = {
      aid,
      rid: readField('rid', body.rid, fields.rid),
      email: readField('email', body.email, email),
      userRef: readOptionalField('user_ref', body.user_ref, fields.userRef),
      ends: body.expires ?? FOREVER,
      message: readOptionalField('message', body.message, fields.message),
      firstName: readOptionalField('first_name', body.first_name, fields.personName),
      lastName: readOptionalField('last_name', body.last_name, fields.personName),
      tags: readOptionalField('tags', body.tags, fields.tags),
      notify: body.notify === false ? undefined : env.delivery,
      actor,
    }
    if (body.dry_run) {
      const effect = await env.database.write((trx) => previewGrant(trx, input, clocksOf(env)))
      return previewView(env, effect)
    }
    note({ rid: input.rid })
    const row = await env.grants.grant(input)
    note({ uid: row.uid, access: row.id })
    return await toAccessItem(env.database.read, aid, row, env.clock())
  },
})

function previewView(env: Environment, preview: PreviewedGrant): GrantPreview {
  const { outcome, uid, endsBefore, ends, mail } = preview
  return {
    outcome,
    uid,
    expires_before: endsBefore === null ? null : endOrNull(endsBefore),
    expires: endOrNull(ends),
    mail: mail ? env.delivery : 'none',
  }
}

const extend = appRoute('POST /access/:id/extend', {
  management: 'POST /access/:id/extend',
  allowed: SUPPORT,
  action: 'access.extend',
  body: Type.Object({
    expires: end,
    message,
    notify: Type.Optional(
      Type.Boolean({ description: 'Whether the reader gets an email; false by default.' }),
    ),
  }),
  async handle({ env, aid, params, body, actor, note }) {
    const input = {
      aid,
      id: params.id ?? '',
      ends: body.expires ?? FOREVER,
      message: readOptionalField('message', body.message, fields.message),
      notify: body.notify ? env.delivery : undefined,
      actor,
    }
    note({ access: input.id })
    const row = await env.database.write((trx) => extendAccess(trx, input, clocksOf(env)))
    return await toAccessItem(env.database.read, aid, row, env.clock())
  },
})

export const grantRoutes = [grant, extend]
