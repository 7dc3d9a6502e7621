import { useAction } from '../platform/action.ts'
import { fileAddress } from '../platform/addresses.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Problem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { PictureRow } from '../ui/picture-row.tsx'
import type { HotelRecords } from './settings-form.tsx'

/** Logo and picture of the hotel, which are saved once they are chosen. */
export function HotelLook({ workspace, profile, onSaved }: HotelRecords) {
  const t = useTexts('hotel/look')
  const saveLogo = useAction(async (logo_url: string | null) => {
    if (workspace) await platform.member.updateWorkspace({ id: workspace.id, body: { logo_url } })
    if (profile) await platform.hotel.updateSetting({ id: profile.id, body: { logo_url } })
    await onSaved()
  })
  const savePicture = useAction(async (picture_url: string | null) => {
    if (profile) await platform.hotel.updateSetting({ id: profile.id, body: { picture_url } })
    await onSaved()
  })
  if (!workspace && !profile) return null
  const logo = fileAddress(workspace?.logo_url ?? profile?.logo_url)
  const picture = fileAddress(profile?.picture_url)
  return (
    <section class="card hotel-look" aria-label={t.title}>
      <Problem error={saveLogo.error ?? savePicture.error} />
      <PictureRow
        folder="logos"
        texts={{ choose: t.chooseLogo, remove: t.removeLogo, hint: t.logoHint }}
        mayRemove={logo !== undefined}
        onPicture={address => void saveLogo.run(address)}
      >
        {logo ? <img src={logo} alt={t.logo} /> : <Icon name="hotel" size={48} />}
      </PictureRow>
      {profile && (
        <PictureRow
          folder="logos"
          texts={{ choose: t.choosePicture, remove: t.removePicture, hint: t.pictureHint }}
          mayRemove={picture !== undefined}
          onPicture={address => void savePicture.run(address)}
        >
          {picture ? <img class="broad" src={picture} alt={t.picture} /> : <Icon name="hotel" size={48} />}
        </PictureRow>
      )}
    </section>
  )
}
