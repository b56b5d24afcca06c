import { FOREVER, type Seconds } from '../../../db/tables.ts'
import { showMoney } from '../../apps/currency.ts'
import type { Formats } from '../../brand/formats.ts'
import type { Fact } from '../html.ts'
import type { CanceledMail, PaymentFailedMail, TrialEndsMail } from '../payloads.ts'
import type { MailContent } from '../template.ts'
import { mailTexts } from '../texts.ts'
import { buttonTo, fact, greetedName, linkTo, type MailSetting, toContent } from './content.ts'

type SubscriptionMail = PaymentFailedMail | TrialEndsMail | CanceledMail

const commonValues = (mail: SubscriptionMail, { moment }: Formats) => ({
  resource: mail.resource,
  first_name: greetedName(mail.first_name),
  amount: showMoney(mail.amount, mail.currency),
  date: moment(mail.at),
})

/** Leaves the access out if it has no end date, since the subscription does not affect it. */
function accessFact({ at, ends }: { at: Seconds; ends: Seconds }, { moment }: Formats): Fact {
  const { labels } = mailTexts()
  if (ends === FOREVER) return fact(labels.access)
  return fact(ends > at ? labels.accessUntil : labels.accessEnded, moment(ends))
}

const failureOf = ({ failure }: PaymentFailedMail) => {
  const { reasons, otherReason } = mailTexts().paymentFailed
  return new Map(Object.entries(reasons)).get(failure) ?? otherReason
}

export function paymentFailedContent(mail: PaymentFailedMail, setting: MailSetting): MailContent {
  const { at, ends, retry } = mail
  if (retry === null && (ends <= at || ends === FOREVER)) return endedContent(mail, setting)
  const { labels, actions } = mailTexts()
  const { moment } = setting.formats
  const { why, advice } = failureOf(mail)
  const common = commonValues(mail, setting.formats)
  const next = retry === null ? '' : moment(retry)
  const until = ends === FOREVER ? '' : moment(ends)
  return toContent(setting, {
    kind: 'payment_failed',
    values: {
      ...common,
      ...{ reason: why, advice, retry: next, ends: until },
      // The grace period may continue after the last attempt.
      last_chance: retry === null ? until : '',
    },
    facts: [
      fact(labels.subscription, mail.resource),
      fact(labels.amount, common.amount),
      fact(labels.tried, common.date),
      fact(labels.nextTry, next),
      accessFact(mail, setting.formats),
    ],
    links: { manage: buttonTo(setting.manage, actions.updateCard) },
  })
}

function endedContent(mail: PaymentFailedMail, setting: MailSetting): MailContent {
  const { labels, actions } = mailTexts()
  const common = commonValues(mail, setting.formats)
  return toContent(setting, {
    kind: 'subscription_ended',
    values: { ...common, reason: failureOf(mail).why },
    facts: [
      fact(labels.subscription, mail.resource),
      fact(labels.notPaid, common.amount),
      fact(labels.ended, common.date),
      accessFact(mail, setting.formats),
    ],
    links: { manage: linkTo(setting.manage, actions.see) },
  })
}

export function trialEndsContent(mail: TrialEndsMail, setting: MailSetting): MailContent {
  const { labels, actions, paymentOn, interval } = mailTexts()
  const { moment, day } = setting.formats
  const common = commonValues(mail, setting.formats)
  const price = `${common.amount} ${interval(mail.period)}`
  const ends = moment(mail.ends)
  return toContent(setting, {
    kind: 'trial_ends',
    values: { ...common, price, ends, end_day: day(mail.ends) },
    facts: [
      fact(labels.subscription, mail.resource),
      fact(labels.freeUntil, ends),
      fact(labels.firstPayment, paymentOn(common.amount, ends)),
      fact(labels.afterThat, price),
    ],
    links: { manage: buttonTo(setting.manage, actions.manageOrCancel) },
  })
}

export function canceledContent(mail: CanceledMail, setting: MailSetting): MailContent {
  const { labels, actions } = mailTexts()
  const { at, ends } = mail
  const common = commonValues(mail, setting.formats)
  const canResume = ends > at
  const hasEnd = canResume && ends !== FOREVER
  return toContent(setting, {
    kind: 'canceled',
    values: { ...common, ends: hasEnd ? setting.formats.moment(ends) : '' },
    facts: [
      fact(labels.subscription, mail.resource),
      fact(labels.canceled, common.date),
      accessFact(mail, setting.formats),
    ],
    links: {
      manage: canResume
        ? buttonTo(setting.manage, actions.resume)
        : linkTo(setting.manage, actions.see),
    },
  })
}
