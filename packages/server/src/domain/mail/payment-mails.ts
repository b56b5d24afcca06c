import { FOREVER } from '../../db/tables.ts'
import { showMoney } from '../apps/currency.ts'
import {
  button,
  fact,
  facts,
  heading,
  link,
  type MailLayout,
  type MailText,
  text,
  total,
} from './layout.ts'
import type { ReceiptMail, RefundedMail, Seller } from './payloads.ts'
import { oneLine, showDate, showEvery } from './plain-text.ts'
import type { Message } from './read-payload.ts'
import { canceled, paymentFailed, trialEnds } from './subscription-mails.ts'

type PaymentMessage = Exclude<Message, { kind: 'grant' }>

/** Builds the text as of the event, whenever the mail is sent, so it needs no clock. `manage` is the URL
 * where the reader manages the subscription, or empty. */
export function writePaymentMail(
  message: PaymentMessage,
  application: string,
  manage: string,
): MailLayout {
  const mailText = textOf(message, manage)
  return {
    subject: `${application}: ${mailText.subject}`,
    blocks: [
      heading(mailText.heading),
      text(greeting(message.payload.first_name)),
      ...mailText.body,
      text(`Sent by ${application}.`),
    ],
  }
}

function textOf({ kind, payload }: PaymentMessage, manage: string): MailText {
  switch (kind) {
    case 'receipt':
      return receipt(payload, manage)
    case 'payment_failed':
      return paymentFailed(payload, manage)
    case 'trial_ends':
      return trialEnds(payload, manage)
    case 'canceled':
      return canceled(payload, manage)
    case 'refunded':
      return refunded(payload)
  }
}

const MAX_GREETED_NAME = 60
/** Text that mail programs turn into a link. */
const LOOKS_LIKE_LINK = /[/:@\\]|\.\p{L}{2}/u

/** A buyer can enter any name and anyone's address, so a greeting must not be able to carry an advertisement. */
function greeting(firstName: string): string {
  const name = oneLine(firstName)
  if (name === '' || name.length > MAX_GREETED_NAME || LOOKS_LIKE_LINK.test(name)) return ''
  return `Hello ${name},`
}

const sellerFact = ({ name, address, tax_line }: Seller) =>
  fact('Seller', name, ...address.split(/[\r\n]+/), tax_line)

function receipt(mail: ReceiptMail, manage: string): MailText {
  if (mail.amount === 0 && mail.subscription !== null) return trialStarted(mail, manage)
  const price = showMoney(mail.amount, mail.currency)
  // Without a period nothing is charged again, because the subscription has been canceled.
  const period = mail.subscription === null ? null : mail.period
  return {
    subject: `receipt for ${mail.resource}`,
    heading: 'Receipt',
    body: [
      text(`Thank you for your payment of ${price} for ${mail.resource}.`),
      facts(
        fact(
          'Bought',
          mail.resource,
          period === null ? '' : `Subscription, paid ${showEvery(period)}`,
        ),
        total('Paid', price),
        fact('Date', showDate(mail.at)),
        fact('Payment', mail.payment),
        mail.ends === FOREVER
          ? fact('Access', 'without an end')
          : fact('Access until', showDate(mail.ends)),
        fact('Next payment', period === null ? '' : `${price} on ${showDate(mail.ends)}`),
        sellerFact(mail.seller),
      ),
      button('Open', mail.url),
      link('Manage your subscription', manage),
    ],
  }
}

/** The receipt of 0 that starts a free trial. It has to show the reader how to cancel. */
function trialStarted(mail: ReceiptMail, manage: string): MailText {
  const ends = showDate(mail.ends)
  const next = showMoney(mail.price, mail.currency)
  return {
    subject: `your free trial of ${mail.resource}`,
    heading: 'Your free trial has begun',
    body: [
      text(`You can use ${mail.resource} until ${ends} for free.`),
      facts(
        fact('Subscription', mail.resource),
        total('Paid', showMoney(mail.amount, mail.currency)),
        fact('Date', showDate(mail.at)),
        fact('Free until', ends),
        fact('After that', mail.period === null ? '' : `${next} ${showEvery(mail.period)}`),
        sellerFact(mail.seller),
      ),
      text('If you cancel before the trial ends, nothing is charged.'),
      button('Open', mail.url),
      link('Manage or cancel', manage),
    ],
  }
}

const REFUND_REASONS = new Map([
  ['late', 'Your payment arrived after your access had been ended.'],
  ['duplicate', 'You had a subscription to it already, so this payment was one too many.'],
])

function refunded(mail: RefundedMail): MailText {
  const price = showMoney(mail.amount, mail.currency)
  return {
    subject: `refund for ${mail.resource}`,
    heading: 'Refund',
    body: [
      text(
        `We have refunded ${price} that you paid for ${mail.resource}. ` +
          (REFUND_REASONS.get(mail.reason ?? '') ?? ''),
      ),
      facts(
        fact('Bought', mail.resource),
        total('Refunded', price),
        fact('Date', showDate(mail.at)),
        fact('Payment', mail.payment),
        sellerFact(mail.seller),
      ),
      text('The money goes back the way it came. It can take some days until your bank shows it.'),
    ],
  }
}
