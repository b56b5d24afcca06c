import { FOREVER } from '../../db/tables.ts'
import { formatMoment } from '../../language.ts'
import { showMoney } from '../apps/currency.ts'
import {
  buttonBlock,
  fact,
  factsBlock,
  headingBlock,
  linkBlock,
  type MailLayout,
  type MailText,
  textBlock,
  total,
} from './layout.ts'
import type { ReceiptMail, RefundedMail, Seller } from './payloads.ts'
import { oneLine } from './plain-text.ts'
import type { Message } from './read-payload.ts'
import { canceledText, paymentFailedText, trialEndsText } from './subscription-mails.ts'
import { mailTexts } from './texts.ts'

type PaymentMessage = Exclude<Message, { kind: 'grant' }>

/** Builds the text as of the event, whenever the mail is sent, so it needs no clock. `manage` is the URL
 * where the reader manages the subscription, or empty. */
export function paymentMailLayout(
  message: PaymentMessage,
  application: string,
  manage: string,
): MailLayout {
  const mailText = textOf(message, manage)
  const { subject, signature } = mailTexts()
  return {
    subject: subject(application, mailText.subject),
    blocks: [
      headingBlock(mailText.heading),
      textBlock(greeting(message.payload.first_name)),
      ...mailText.body,
      textBlock(signature(application)),
    ],
  }
}

function textOf({ kind, payload }: PaymentMessage, manage: string): MailText {
  switch (kind) {
    case 'receipt':
      return receipt(payload, manage)
    case 'payment_failed':
      return paymentFailedText(payload, manage)
    case 'trial_ends':
      return trialEndsText(payload, manage)
    case 'canceled':
      return canceledText(payload, manage)
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
  return mailTexts().greeting(name)
}

const sellerFact = ({ name, address, tax_line }: Seller) =>
  fact(mailTexts().labels.seller, name, ...address.split(/[\r\n]+/), tax_line)

function receipt(mail: ReceiptMail, manage: string): MailText {
  if (mail.amount === 0 && mail.subscription !== null) return trialStarted(mail, manage)
  const { labels, actions, paymentOn, receipt: texts } = mailTexts()
  const price = showMoney(mail.amount, mail.currency)
  // Without a period nothing is charged again, because the subscription has been canceled.
  const period = mail.subscription === null ? null : mail.period
  return {
    subject: texts.subject(mail.resource),
    heading: texts.heading,
    body: [
      textBlock(texts.thanks(price, mail.resource)),
      factsBlock(
        fact(
          labels.bought,
          mail.resource,
          period === null ? '' : texts.billed(mailTexts().interval(period)),
        ),
        total(labels.paid, price),
        fact(labels.date, formatMoment(mail.at)),
        fact(labels.payment, mail.payment),
        mail.ends === FOREVER
          ? fact(labels.access, texts.noEndDate)
          : fact(labels.accessUntil, formatMoment(mail.ends)),
        fact(labels.nextPayment, period === null ? '' : paymentOn(price, formatMoment(mail.ends))),
        sellerFact(mail.seller),
      ),
      buttonBlock(actions.open, mail.url),
      linkBlock(actions.manage, manage),
    ],
  }
}

/** The receipt of 0 that starts a free trial. It has to show the reader how to cancel. */
function trialStarted(mail: ReceiptMail, manage: string): MailText {
  const { labels, actions, trialStarted: texts } = mailTexts()
  const ends = formatMoment(mail.ends)
  const next = showMoney(mail.price, mail.currency)
  return {
    subject: texts.subject(mail.resource),
    heading: texts.heading,
    body: [
      textBlock(texts.freeUntil(mail.resource, ends)),
      factsBlock(
        fact(labels.subscription, mail.resource),
        total(labels.paid, showMoney(mail.amount, mail.currency)),
        fact(labels.date, formatMoment(mail.at)),
        fact(labels.freeUntil, ends),
        fact(
          labels.afterThat,
          mail.period === null ? '' : `${next} ${mailTexts().interval(mail.period)}`,
        ),
        sellerFact(mail.seller),
      ),
      textBlock(texts.cancelInTime),
      buttonBlock(actions.open, mail.url),
      linkBlock(actions.manageOrCancel, manage),
    ],
  }
}

function refunded(mail: RefundedMail): MailText {
  const { labels, refunded: texts } = mailTexts()
  const price = showMoney(mail.amount, mail.currency)
  const why = new Map(Object.entries(texts.reasons)).get(mail.reason ?? '')
  return {
    subject: texts.subject(mail.resource),
    heading: texts.heading,
    body: [
      textBlock(`${texts.what(price, mail.resource)} ${why ?? ''}`),
      factsBlock(
        fact(labels.bought, mail.resource),
        total(labels.refunded, price),
        fact(labels.date, formatMoment(mail.at)),
        fact(labels.payment, mail.payment),
        sellerFact(mail.seller),
      ),
      textBlock(texts.bankDelay),
    ],
  }
}
