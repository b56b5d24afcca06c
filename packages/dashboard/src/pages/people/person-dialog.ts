import type { PersonDetails } from '@gatehouse/server/dashboard-api'

/** The properties of every dialog about a person. */
export interface PersonDialogProps {
  details: PersonDetails
  onClose: () => void
}
