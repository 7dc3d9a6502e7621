import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { fileAddress } from '../platform/addresses.ts'
import { brand, type HotelBrand } from '../platform/brand.ts'
import { useStore } from '../platform/store.ts'
import { chooseLanguage, type InterfaceLanguage, language, languages, useTexts } from '../platform/texts.ts'
import { Checkbox, Options, TextField } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/page.tsx'

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
          <Options choices={languages} />
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
      <p class="row">
        {logo ? <img src={logo} alt="" width={44} height={44} /> : <Icon name="hotel" size={32} />}
        <span dir="auto">{hotel?.name ?? t.platform}</span>
      </p>
    </div>
  )
}

type FieldProps = { value: string; onValue: (value: string) => void; error?: string | undefined }

/** The e-mail address of an account. */
export function EmailField(props: FieldProps) {
  return <TextField {...props} label={useTexts('sign-in/fields').email} type="email" autocomplete="username" required />
}

/** Keeps the session when the browser is closed. */
export function StaySignedIn({ checked, onCheck }: { checked: boolean; onCheck: (checked: boolean) => void }) {
  const t = useTexts('sign-in/fields')
  return <Checkbox label={t.stay} hint={t.stayHint} checked={checked} onCheck={onCheck} />
}

/** A password, which can be shown. */
export function PasswordField({ value, onValue, error, isNew = false }: FieldProps & { isNew?: boolean }) {
  const t = useTexts('sign-in/fields')
  const [isShown, show] = useState(false)
  return (
    <>
      <TextField
        label={isNew ? t.newPassword : t.password}
        hint={isNew ? t.hint : undefined}
        error={error}
        type={isShown ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        required
        minLength={isNew ? 8 : undefined}
        value={value}
        onValue={onValue}
      />
      <Checkbox label={t.show} checked={isShown} onCheck={show} />
    </>
  )
}
