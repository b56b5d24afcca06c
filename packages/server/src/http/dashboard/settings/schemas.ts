import { Type } from 'typebox'
import type { EnvironmentName } from '../../../context.ts'
import { LEGAL_LINKS, type LegalLinks } from '../../../domain/brand/brand.ts'
import {
  STORED_TEMPLATE_KINDS,
  type StoredTemplateKind,
  TEMPLATE_KINDS,
  type TemplateKind,
} from '../../../domain/mail/template-kinds.ts'
import { MAX_CLOCK_STEP } from '../../../domain/sandbox/clock.ts'
import type { EventCounts } from '../../../domain/sandbox/event-counts.ts'
import { LAST_SECOND } from '../../../fields.ts'
import { SAMPLE_PAGES } from '../../pages/sample.ts'

const line = Type.Optional(Type.String({ maxLength: 1_000 }))

const optionalTexts = <K extends string>(names: readonly K[], maxLength: number) => {
  const text = Type.Optional(Type.String({ maxLength }))
  const properties = Object.fromEntries(names.map((name) => [name, text])) as Record<K, typeof text>
  return Type.Optional(Type.Object(properties, { additionalProperties: false }))
}

/** Omitted settings stay unchanged. An empty text resets a setting to its default, if it has one. */
export const SettingsBody = Type.Object({
  name: line,
  currency: line,
  mail_from: line,
  mail_template: Type.Optional(Type.String({ maxLength: 40_000 })),
  /** Only the given kinds change. An empty template restores the built-in one. */
  mail_templates: optionalTexts(STORED_TEMPLATE_KINDS, 40_000),
  accent: line,
  support_email: line,
  /** Only the given kinds change. An empty URL removes a link. */
  legal_links: optionalTexts(LEGAL_LINKS, 4_000),
  time_zone: line,
  seller_name: line,
  seller_address: Type.Optional(Type.String({ maxLength: 5_000 })),
  tax_line: line,
  return_urls: Type.Optional(Type.Array(Type.String({ maxLength: 4_000 }), { maxItems: 100 })),
  grace_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })),
  require_ts: Type.Optional(Type.Boolean()),
})

/** Settings that use their default are empty. */
export interface SettingsView {
  aid: string
  name: string
  currency: string
  mail_from: string
  mail_template: string
  /** The application's own templates, by kind. A missing one is the default. */
  mail_templates: Partial<Record<StoredTemplateKind, string>>
  /** Empty for the built-in color. */
  accent: string
  support_email: string
  legal_links: LegalLinks
  time_zone: string
  /** The URL of the logo. */
  logo: string | null
  seller_name: string
  seller_address: string
  tax_line: string
  return_urls: string[]
  grace_days: number
  /** Whether writes of the application's API clients must carry a time. */
  require_ts: boolean
  created: number
  archived: number | null
  /** The values used for empty settings. */
  defaults: {
    mail_from: string
    accent: string
    mail_template: string
    mail_templates: Record<TemplateKind, string>
    seller_name: string
  }
  /** The base URL of its pages and its API. */
  address: string
}

/** Replaces the application's color, to see another one. */
const previewAccent = Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$' }))

export const PreviewBody = Type.Object({
  template: Type.String({ maxLength: 40_000 }),
  /** The grant mail by default. */
  kind: Type.Optional(Type.Enum([...TEMPLATE_KINDS])),
  accent: previewAccent,
})

export const PagePreviewQuery = Type.Object({
  page: Type.Enum([...SAMPLE_PAGES]),
  accent: previewAccent,
})

/** A page of readers with sample data, as a complete document. */
export interface PagePreview {
  html: string
}

/** A mail with sample data, or everything that is wrong with the template. */
export type MailPreview =
  | { ok: true; subject: string; text: string; html: string }
  | { ok: false; problems: { line: number; problem: string }[] }

export const ApplicationBody = Type.Object({
  name: Type.String({ maxLength: 1_000 }),
  currency: Type.Optional(Type.String({ maxLength: 10 })),
})

export interface ApplicationItem {
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
  /** Returned here once; owners and developers can reveal it again later. */
  private_key: string
}

/** Exactly one of the two is required. */
export const ClockBody = Type.Object({
  to: Type.Optional(Type.Integer({ minimum: 0, maximum: LAST_SECOND })),
  by: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_CLOCK_STEP })),
})

export interface ClockView {
  time: number
  real_time: number
  /** In seconds. */
  ahead: number
}

/** What happened while the clock was moved. */
export interface MovedClock extends EventCounts {
  from: number
  to: number
}
