import { useEffect } from 'preact/hooks'
import { adoptBrand } from './brand.ts'
import { useLoad } from './load.ts'
import { useMemberContext } from './member-context.ts'
import { platform } from './session.ts'

/** The hotel of the workspace that is shown. */
export function useHotel() {
  const { workspace } = useMemberContext()
  const { ecosystemId: id } = workspace
  return useLoad(`hotel/${id}`, signal => platform.hotel.getHotel({ id }, { signal }))
}

/** Shows the client in the name and colour of that hotel. */
export function useHotelBrand(): void {
  const { workspace } = useMemberContext()
  const { value } = useHotel()
  useEffect(() => {
    if (!value?.settings) return
    const { primary_color: colour, logo_url, picture_url: picture } = value.settings
    adoptBrand({ name: workspace.name, logo: workspace.logo_url ?? logo_url, picture, colour })
  }, [value, workspace])
}
