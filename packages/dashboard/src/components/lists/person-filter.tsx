import type { PersonDetails } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { texts } from '../../texts.ts'
import { personLabelOf } from '../people/person-cell.tsx'
import type { Filter } from './list-filters.tsx'

/** The name of the person with a uid. */
function PersonName({ uid }: { uid: string }): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'people', uid),
    queryFn: ({ signal }) => get<PersonDetails>(path('people', uid), {}, signal),
    retry: false,
  })
  if (data === undefined) return '…'
  const { first_name, last_name, email, contact_email } = data.person
  return personLabelOf({ name: `${first_name} ${last_name}`.trim(), email: email || contact_email })
}

/** Links from other pages limit a list to one person. Staff themselves find people by the search box. */
export const PERSON_FILTER: Filter = {
  name: 'uid',
  label: texts.records.person,
  isHidden: true,
  shown: (uid) => <PersonName uid={uid} />,
}
