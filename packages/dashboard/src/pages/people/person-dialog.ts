import type { PersonDetails } from '@gatehouse/server/dashboard-api'

/** What every dialog about a person takes. */
export interface PersonDialogProps {
  details: PersonDetails
  onClose: () => void
}
