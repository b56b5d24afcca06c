import { FOREVER, type Seconds } from '../../db/tables.ts'
import { formatDay, formatMoment } from '../../language.ts'
import { showMoney } from '../apps/currency.ts'
import type { Fact } from './html.ts'
import { buttonBlock, fact, factsBlock, linkBlock, type MailText, textBlock } from './layout.ts'
import type { CanceledMail, PaymentFailedMail, TrialEndsMail } from './payloads.ts'
import { mailTexts } from './texts.ts'

function failureOf(mail: PaymentFailedMail) {
  const { what, reasons, otherReason } = mailTexts().paymentFailed
  const { why, advice } = new Map(Object.entries(reasons)).get(mail.failure) ?? otherReason
  return { what: what(showMoney(mail.amount, mail.currency), mail.resource, why), advice }
}

/** Leaves the access out if it has no end date, since the subscription does not affect it. */
function accessFact({ at, ends }: { at: Seconds; ends: Seconds }): Fact {
  const { labels } = mailTexts()
  if (ends === FOREVER) return fact(labels.access)
  return fact(ends > at ? labels.accessUntil : labels.accessEnded, formatMoment(ends))
}

export function paymentFailedText(mail: PaymentFailedMail, manage: string): MailText {
  const { at, ends, retry } = mail
  if (retry === null && (ends <= at || ends === FOREVER)) return endedUnpaid(mail, manage)
  const { labels, actions, paymentFailed: texts } = mailTexts()
  const { what, advice } = failureOf(mail)
  return {
    subject: texts.subject(mail.resource),
    heading: texts.heading,
    body: [
      textBlock(what),
      factsBlock(
        fact(labels.subscription, mail.resource),
        fact(labels.amount, showMoney(mail.amount, mail.currency)),
        fact(labels.tried, formatMoment(at)),
        fact(labels.nextTry, retry === null ? '' : formatMoment(retry)),
        accessFact(mail),
      ),
      // The grace period may continue after the last attempt.
      textBlock(retry === null ? texts.lastTry(formatMoment(ends)) : ''),
      textBlock(advice),
      buttonBlock(actions.updateCard, manage),
    ],
  }
}

function endedUnpaid(mail: PaymentFailedMail, manage: string): MailText {
  const { labels, actions, endedUnpaid: texts } = mailTexts()
  return {
    subject: texts.subject(mail.resource),
    heading: texts.heading,
    body: [
      textBlock(texts.what(failureOf(mail).what)),
      factsBlock(
        fact(labels.subscription, mail.resource),
        fact(labels.notPaid, showMoney(mail.amount, mail.currency)),
        fact(labels.ended, formatMoment(mail.at)),
        accessFact(mail),
      ),
      linkBlock(actions.see, manage),
    ],
  }
}

export function trialEndsText(mail: TrialEndsMail, manage: string): MailText {
  const { labels, actions, paymentOn, trialEnds: texts } = mailTexts()
  const price = showMoney(mail.amount, mail.currency)
  const interval = mailTexts().interval(mail.period)
  const ends = formatMoment(mail.ends)
  return {
    subject: texts.subject(mail.resource, formatDay(mail.ends)),
    heading: texts.heading,
    body: [
      textBlock(texts.costsThen(mail.resource, ends, price, interval)),
      factsBlock(
        fact(labels.subscription, mail.resource),
        fact(labels.freeUntil, ends),
        fact(labels.firstPayment, paymentOn(price, ends)),
        fact(labels.afterThat, `${price} ${interval}`),
      ),
      textBlock(texts.keepOrCancel),
      buttonBlock(actions.manageOrCancel, manage),
    ],
  }
}

export function canceledText(mail: CanceledMail, manage: string): MailText {
  const { labels, actions, canceled: texts } = mailTexts()
  const { resource, at, ends } = mail
  const canResume = ends > at
  const hasEnd = canResume && ends !== FOREVER
  return {
    subject: texts.subject(resource),
    heading: texts.heading,
    body: [
      textBlock(hasEnd ? texts.accessUntil(resource, formatMoment(ends)) : texts.over(resource)),
      factsBlock(
        fact(labels.subscription, resource),
        fact(labels.canceled, formatMoment(at)),
        accessFact(mail),
      ),
      textBlock(canResume ? texts.canResume : ''),
      canResume ? buttonBlock(actions.resume, manage) : linkBlock(actions.see, manage),
    ],
  }
}
