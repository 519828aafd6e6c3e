// Whether the page is laid out for paper: all cards at once, in light colours.

export class Printing {
  isOn = $state(false)
}
