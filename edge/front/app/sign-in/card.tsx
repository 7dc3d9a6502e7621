import type { ComponentChildren } from 'preact'
import { fileAddress } from '../platform/addresses.ts'
import { brand, type HotelBrand } from '../platform/brand.ts'
import { useStore } from '../platform/store.ts'
import { chooseLanguage, type InterfaceLanguage, language, languages, useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/title.ts'

type CardProps = {
  title: string
  /** The hotel that greets; the last one of this device unless another is given, and none for null. */
  hotel?: Pick<HotelBrand, 'name' | 'logo' | 'picture'> | null
  children: ComponentChildren
}

/** A page of one form, for people who aren't signed in. */
export function Card({ title, hotel, children }: CardProps) {
  const t = useTexts('sign-in/card')
  const lastHotel = useStore(brand)
  const interfaceLanguage = useStore(language)
  useTitle(title)
  return (
    <main class="welcome">
      <Greeting hotel={hotel === undefined ? lastHotel : hotel} />
      <div class="card">
        <h1>{title}</h1>
        {children}
      </div>
      <p class="languages">
        <select
          aria-label={t.language}
          value={interfaceLanguage}
          onChange={event => chooseLanguage(event.currentTarget.value as InterfaceLanguage)}
        >
          {languages.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </p>
    </main>
  )
}

/** Logo, name and picture of the hotel; its colour without a picture. */
function Greeting({ hotel }: { hotel: CardProps['hotel'] }) {
  const t = useTexts('sign-in/card')
  const [logo, picture] = [fileAddress(hotel?.logo), fileAddress(hotel?.picture)]
  return (
    <div class={picture ? 'greeting pictured' : 'greeting'}>
      {picture && <img class="greeting-picture" src={picture} alt="" />}
      <p>
        {logo ? <img src={logo} alt="" width={44} height={44} /> : <Icon name="hotel" size={32} />}
        <span dir="auto">{hotel?.name ?? t.platform}</span>
      </p>
    </div>
  )
}
