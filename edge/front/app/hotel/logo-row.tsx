import { fileAddress } from '../platform/addresses.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { UploadList, useUploads } from '../ui/uploads.tsx'

type Props = {
  /** Address of the present logo. */
  logo: string | null | undefined
  /** Each logo of a page has its own. */
  texts: { name: string; choose: string; remove: string }
  onLogo: (address: string | null) => void
}

/** A logo that is replaced by an upload, or removed. */
export function LogoRow({ logo, texts: own, onLogo }: Props) {
  const t = useTexts('hotel/logo-row')
  const uploads = useUploads('logos')
  const logoAddress = fileAddress(logo)
  return (
    <div class="logo-row">
      {logoAddress ? <img src={logoAddress} alt={own.name} /> : <Icon name="hotel" size={48} />}
      <div>
        <div class="actions">
          <FileButton
            text={own.choose}
            accept="image/png,image/jpeg,image/webp"
            class="small"
            onFile={file => uploads.add([file], ({ fileUrl }) => onLogo(fileUrl), 'pictures')}
          />
          {logo && (
            <Button class="small" look="quiet" onClick={() => onLogo(null)}>
              {own.remove}
            </Button>
          )}
        </div>
        <p class="hint">{t.hint}</p>
        <UploadList uploads={uploads} />
      </div>
    </div>
  )
}
