import type { NewManageLink, SubscriptionItem } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { MadeLink } from '../../components/overlays/made-link.tsx'
import { texts } from '../../texts.ts'
import { subscriberLabel } from './labels.tsx'

const words = texts.subscriptions

interface Props {
  subscription: SubscriptionItem
  variant?: 'plain' | 'quiet'
}

/** Makes the link to a reader's own page of a subscription, for support to send. */
export function AccountLinkButton({ subscription, variant = 'plain' }: Props): ReactNode {
  const { path } = useAppScope()
  const [link, setLink] = useState<NewManageLink>()
  const make = async () =>
    setLink(
      await send<NewManageLink>('POST', path('subscriptions', subscription.id, 'manage-link')),
    )
  const close = () => setLink(undefined)
  return (
    <>
      <ActionButton
        variant={variant}
        aria-label={texts.common.actionOn(words.accountLink, subscription.resource)}
        action={make}
      >
        {words.accountLink}
      </ActionButton>
      <Dialog
        open={link !== undefined}
        onClose={close}
        title={words.accountLinkTitle(subscriberLabel(subscription))}
        lead={words.accountLinkLead}
      >
        {link && <MadeLink link={link} label={words.accountLink} onClose={close} />}
      </Dialog>
    </>
  )
}
