import type { MailLinks, MailSender } from '../domain/mail/compose.ts'

/** An application with the default settings, as a sender of mails. */
export const senderNamed = (name: string, more: Partial<MailSender> = {}): MailSender => ({
  ...{ aid: 'app1', name, mail_from: null, mail_template: null, mail_templates: '{}' },
  ...{ archived: null, accent: null, logo_id: null, support_email: null, legal_links: '{}' },
  ...{ time_zone: 'UTC', seller_name: null, seller_address: null },
  ...more,
})

/** The links of a mail; those that are not given lead nowhere. */
export const linksTo = (links: Partial<MailLinks> = {}): MailLinks => ({
  manage: async () => '',
  files: async () => [],
  image: () => '',
  ...links,
})
