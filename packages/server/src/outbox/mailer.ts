import { createTransport } from 'nodemailer'

export interface OutgoingMail {
  /** The same at every try, so that a reader's program can drop a duplicate. */
  id: string
  from: string
  to: string
  subject: string
  text: string
  html: string
}

/** Hands mails to a server. */
export interface Mailer {
  /** Resolves when the server has taken the mail. */
  send(mail: OutgoingMail): Promise<void>
  close(): Promise<void>
}

/** Connections to the mail server, and so the mails that are under way at once. */
export const MAIL_CONNECTIONS = 5

/** One sending never takes longer than the sum of these. */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
}

/** After this a sending is given up, whatever its socket does; see the lease of the worker. */
export const LONGEST_SENDING_MS = 60_000

export function createMailer(smtpUrl: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
    maxMessages: 100,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS,
  })
  return {
    async send(mail) {
      const sender = addressIn(mail.from)
      const sending = transport.sendMail({
        from: mail.from,
        // As objects, and an envelope of our own: nothing in an address is parsed as a list.
        to: { name: '', address: mail.to },
        envelope: { from: sender, to: [mail.to] },
        messageId: `<${mail.id}@${sender.split('@').at(-1)}>`,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      await withinTime(sending)
    },
    async close() {
      transport.close()
    },
  }
}

export function addressIn(from: string): string {
  return /<([^<>]+)>$/.exec(from)?.[1] ?? from
}

async function withinTime(sending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server took too long')), LONGEST_SENDING_MS)
  })
  try {
    await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the server refused this very mail for good, so that trying again can't help. */
export function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  const aboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return aboutThisMail && responseCode !== undefined && responseCode >= 500
}
