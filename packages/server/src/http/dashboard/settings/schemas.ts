import { Type } from 'typebox'
import type { EnvironmentName } from '../../../context.ts'
import { LEGAL_LINKS, type LegalLink } from '../../../domain/brand/brand.ts'
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

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))
const line = (description: string) => text(1_000, description)

/** Texts by name; `each` is the beginning of their descriptions, before the name. */
const optionalTexts = <K extends string>(
  names: readonly K[],
  maxLength: number,
  { each, description }: { each: string; description: string },
) => {
  const texts = names.map((name) => [name, text(maxLength, `${each} \`${name}\`.`)])
  const properties = Object.fromEntries(texts) as Record<K, ReturnType<typeof text>>
  return Type.Optional(Type.Object(properties, { additionalProperties: false, description }))
}

/** Omitted settings stay unchanged. An empty text resets a setting to its default, if it has one. */
export const SettingsBody = Type.Object({
  name: line('The name of the application.'),
  currency: line('ISO 4217 code of the currency of free access, and of prices that name none.'),
  mail_from: line("The sender of the application's emails."),
  mail_template: text(40_000, 'The template of the email about a grant.'),
  mail_templates: optionalTexts(STORED_TEMPLATE_KINDS, 40_000, {
    each: 'The template of the email',
    description: 'Only the given kinds change. An empty template restores the built-in one.',
  }),
  accent: line("The accent color of the application's pages and emails, such as `#1f5f4a`."),
  support_email: line('The email address where readers get help.'),
  legal_links: optionalTexts(LEGAL_LINKS, 4_000, {
    each: "The URL of the seller's page",
    description: 'Only the given kinds change. An empty URL removes a link.',
  }),
  time_zone: line('The time zone of dates that readers see, such as `Europe/Berlin`.'),
  seller_name: line("The seller's name, shown on receipts."),
  seller_address: text(5_000, "The seller's postal address, shown on receipts."),
  tax_line: line('A line about taxes, such as a VAT number, shown on receipts.'),
  return_urls: Type.Optional(
    Type.Array(Type.String({ maxLength: 4_000 }), {
      maxItems: 100,
      description: 'The URLs that buyers may return to, including everything below them.',
    }),
  ),
  grace_days: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: 60 },
      description: 'The number of days for which access continues while a renewal is unpaid.',
    }),
  ),
  require_ts: Type.Optional(
    Type.Boolean({
      description: 'Whether API clients must send the parameter `ts` with each write.',
    }),
  ),
})

/** Templates of emails, by kind. */
interface TemplateTexts extends Record<TemplateKind, string> {
  /** The template of the email about a grant of access. */
  grant: string
  /** The template of the email about a payment. */
  receipt: string
  /** The template of the email about a trial that began. */
  trial_started: string
  /** The template of the email about a trial that ends soon. */
  trial_ends: string
  /** The template of the email about a renewal that could not be charged. */
  payment_failed: string
  /** The template of the email about a subscription that ended. */
  subscription_ended: string
  /** The template of the email about a canceled subscription. */
  canceled: string
  /** The template of the email about a refund. */
  refunded: string
  /** The template of the email about a changed email address. */
  address_changed: string
}

/** URLs of the seller's pages. */
interface LegalLinkUrls extends Partial<Record<LegalLink, string>> {
  /** The URL of the terms and conditions. */
  terms?: string
  /** The URL of the privacy policy. */
  privacy?: string
  /** The URL of the imprint. */
  imprint?: string
  /** The URL of the refund policy. */
  refunds?: string
}

/** Settings that use their default are empty. */
export interface SettingsView {
  /** The id of the application. */
  aid: string
  /** The name of the application. */
  name: string
  /** ISO 4217 code of the currency of free access, and of prices that name none. */
  currency: string
  /** The sender of the application's emails. */
  mail_from: string
  /** The template of the email about a grant. */
  mail_template: string
  /** The application's own templates, by kind. A missing one is the default. */
  mail_templates: Partial<Pick<TemplateTexts, StoredTemplateKind>>
  /** The accent color of the application's pages and emails, such as `#1f5f4a`; empty for the built-in color. */
  accent: string
  /** The email address where readers get help. */
  support_email: string
  /** The seller's pages, linked from every page and email. */
  legal_links: LegalLinkUrls
  /** The time zone of dates that readers see. */
  time_zone: string
  /** The URL of the logo; null if there is none. */
  logo: string | null
  /** The seller's name, shown on receipts. */
  seller_name: string
  /** The seller's postal address, shown on receipts. */
  seller_address: string
  /** A line about taxes, such as a VAT number, shown on receipts. */
  tax_line: string
  /** The URLs that buyers may return to, including everything below them. */
  return_urls: string[]
  /** The number of days for which access continues while a renewal is unpaid. */
  grace_days: number
  /** Whether API clients must send the parameter `ts` with each write. */
  require_ts: boolean
  /** When the application was created, in seconds since 1970. */
  created: number
  /** When the application was archived, in seconds since 1970; null while it is in use. */
  archived: number | null
  /** The values used for empty settings. */
  defaults: {
    /** The sender of the application's emails. */
    mail_from: string
    /** The accent color. */
    accent: string
    /** The template of the email about a grant. */
    mail_template: string
    /** The built-in templates, by kind. */
    mail_templates: TemplateTexts
    /** The name of the application, which receipts show by default. */
    seller_name: string
  }
  /** The public base URL of the environment's pages and API. */
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
  /** The id of the application. */
  aid: string
  /** The name of the application. */
  name: string
  /** ISO 4217 code of the currency of free access, and of prices that name none. */
  currency: string
  /** When the application was created, in seconds since 1970. */
  created: number
  /** When the application was archived, in seconds since 1970; null while it is in use. */
  archived: number | null
}

export interface ApplicationList {
  /** The applications that the token may use, including archived ones. */
  data: ApplicationItem[]
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

/** The events that happened because the clock was moved, and the times it was moved between. */
export interface MovedClock extends EventCounts {
  from: number
  to: number
}
