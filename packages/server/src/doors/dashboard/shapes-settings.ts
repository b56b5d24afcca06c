import { Type } from 'typebox'
import type { EnvironmentName } from '../../context.ts'
import type { Happened } from '../../sandbox/happened.ts'

const line = Type.Optional(Type.String({ maxLength: 1_000 }))

/** What is not given stays as it is; an empty text is the default again. */
export const SettingsBody = Type.Object({
  name: line,
  currency: line,
  mail_from: line,
  mail_template: Type.Optional(Type.String({ maxLength: 40_000 })),
  seller_name: line,
  seller_address: Type.Optional(Type.String({ maxLength: 5_000 })),
  tax_line: line,
  return_urls: Type.Optional(Type.Array(Type.String({ maxLength: 4_000 }), { maxItems: 100 })),
  grace_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })),
})

/** Empty where the default is used. */
export interface ShownSettings {
  aid: string
  name: string
  currency: string
  mail_from: string
  mail_template: string
  seller_name: string
  seller_address: string
  tax_line: string
  return_urls: string[]
  grace_days: number
  created: number
  archived: number | null
  /** What holds where nothing is set. */
  defaults: { mail_from: string; mail_template: string; seller_name: string }
  /** Where its pages and its API are. */
  address: string
}

export const PreviewBody = Type.Object({ template: Type.String({ maxLength: 40_000 }) })

/** As a mail with made-up data would be, or all that is wrong with the template. */
export type MailPreview =
  | { ok: true; subject: string; text: string; html: string }
  | { ok: false; problems: { line: number; problem: string }[] }

export const ApplicationBody = Type.Object({
  name: Type.String({ maxLength: 1_000 }),
  currency: Type.Optional(Type.String({ maxLength: 10 })),
})

export interface ShownApplication {
  aid: string
  name: string
  currency: string
  created: number
  archived: number | null
}

export interface NewApplication {
  aid: string
  name: string
  environment: EnvironmentName
  key_id: string
  /** Shown this once; whoever may see keys can have it shown again. */
  private_key: string
}

/** One of both. */
export const ClockBody = Type.Object({
  to: Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799 })),
  by: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 * 366 * 86_400 })),
})

export interface ShownClock {
  time: number
  real_time: number
  /** Seconds. */
  ahead: number
}

/** What has happened on the way. */
export interface MovedClock extends Happened {
  from: number
  to: number
}
