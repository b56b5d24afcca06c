import { FOREVER } from '../../../db/tables.ts'
import { showMoney } from '../../apps/currency.ts'
import type { Fact } from '../html.ts'
import type { ReceiptMail, RefundedMail, Seller } from '../payloads.ts'
import type { Message } from '../read-payload.ts'
import type { MailContent } from '../template.ts'
import { mailTexts } from '../texts.ts'
import {
  buttonTo,
  fact,
  greetedName,
  linkTo,
  type MailSetting,
  toContent,
  total,
} from './content.ts'
import { canceledContent, paymentFailedContent, trialEndsContent } from './subscription-mails.ts'

type PaymentMessage = Exclude<Message, { kind: 'grant' | 'address_changed' }>

/** Builds the content as of the event, whenever the mail is sent, so it needs no clock. */
export function paymentContent(
  { kind, payload }: PaymentMessage,
  setting: MailSetting,
): MailContent {
  switch (kind) {
    case 'receipt':
      return receiptContent(payload, setting)
    case 'payment_failed':
      return paymentFailedContent(payload, setting)
    case 'trial_ends':
      return trialEndsContent(payload, setting)
    case 'canceled':
      return canceledContent(payload, setting)
    case 'refunded':
      return refundedContent(payload, setting)
  }
}

const sellerFact = ({ name, address, tax_line }: Seller): Fact =>
  fact(mailTexts().labels.seller, name, ...address.split(/[\r\n]+/), tax_line)

const receiptLinks = ({ url }: ReceiptMail, { manage }: MailSetting, label: string) => ({
  link: buttonTo(url, mailTexts().actions.open),
  manage: linkTo(manage, label),
})

function receiptContent(mail: ReceiptMail, setting: MailSetting): MailContent {
  if (mail.amount === 0 && mail.subscription !== null) return trialStartedContent(mail, setting)
  const { labels, actions, paymentOn, receipt: texts } = mailTexts()
  const { moment } = setting.formats
  const price = showMoney(mail.amount, mail.currency)
  // Without a period nothing is charged again, because the subscription has been canceled.
  const period = mail.subscription === null ? null : mail.period
  const ends = mail.ends === FOREVER ? '' : moment(mail.ends)
  const next = period === null ? '' : paymentOn(price, ends)
  return toContent(setting, {
    kind: 'receipt',
    values: {
      resource: mail.resource,
      first_name: greetedName(mail.first_name),
      amount: price,
      date: moment(mail.at),
      ends,
      next_payment: next,
    },
    facts: [
      fact(
        labels.bought,
        mail.resource,
        period === null ? '' : texts.billed(mailTexts().interval(period)),
      ),
      total(labels.paid, price),
      fact(labels.date, moment(mail.at)),
      fact(labels.payment, mail.payment),
      ends === '' ? fact(labels.access, texts.noEndDate) : fact(labels.accessUntil, ends),
      fact(labels.nextPayment, next),
      sellerFact(mail.seller),
    ],
    links: receiptLinks(mail, setting, actions.manage),
  })
}

/** The receipt of 0 that starts a free trial. It has to show the reader how to cancel. */
function trialStartedContent(mail: ReceiptMail, setting: MailSetting): MailContent {
  const { labels, actions } = mailTexts()
  const { moment } = setting.formats
  const ends = moment(mail.ends)
  const next = showMoney(mail.price, mail.currency)
  const price = mail.period === null ? '' : `${next} ${mailTexts().interval(mail.period)}`
  const amount = showMoney(mail.amount, mail.currency)
  return toContent(setting, {
    kind: 'trial_started',
    values: {
      resource: mail.resource,
      first_name: greetedName(mail.first_name),
      ...{ amount, date: moment(mail.at), ends, price },
    },
    facts: [
      fact(labels.subscription, mail.resource),
      total(labels.paid, amount),
      fact(labels.date, moment(mail.at)),
      fact(labels.freeUntil, ends),
      fact(labels.afterThat, price),
      sellerFact(mail.seller),
    ],
    links: receiptLinks(mail, setting, actions.manageOrCancel),
  })
}

function refundedContent(mail: RefundedMail, setting: MailSetting): MailContent {
  const { labels, refunded: texts } = mailTexts()
  const { moment } = setting.formats
  const amount = showMoney(mail.amount, mail.currency)
  const reason = new Map(Object.entries(texts.reasons)).get(mail.reason ?? '') ?? ''
  return toContent(setting, {
    kind: 'refunded',
    values: {
      resource: mail.resource,
      first_name: greetedName(mail.first_name),
      ...{ amount, date: moment(mail.at), reason },
    },
    facts: [
      fact(labels.bought, mail.resource),
      total(labels.refunded, amount),
      fact(labels.date, moment(mail.at)),
      fact(labels.payment, mail.payment),
      sellerFact(mail.seller),
    ],
  })
}
