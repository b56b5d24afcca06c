/** What a member of the staff may do; the routes of the dashboard say which role may do what. */
export type Role = 'owner' | 'developer' | 'support' | 'reader'

/** Somebody who runs the place. */
export interface StaffMember {
  id: string
  email: string
  name: string
  role: Role
}
