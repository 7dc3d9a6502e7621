import { fileAddress } from '../platform/addresses.ts'
import { useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { PictureRow } from '../ui/picture-row.tsx'

type Props = {
  /** Address of the present logo. */
  logo: string | null | undefined
  /** Distinguishes several logos on one page. */
  texts: { name: string; choose: string; remove: string }
  onLogo: (address: string | null) => void
}

export function LogoRow({ logo, texts, onLogo }: Props) {
  const t = useTexts('hotel/logo-row')
  const address = fileAddress(logo)
  return (
    <PictureRow folder="logos" texts={{ ...texts, hint: t.hint }} mayRemove={Boolean(logo)} onPicture={onLogo}>
      {address ? <img src={address} alt={texts.name} /> : <Icon name="hotel" size={48} />}
    </PictureRow>
  )
}
