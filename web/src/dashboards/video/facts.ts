// What a link has of videos alone: how large they are drawn.
import { flag } from '../../lib/query'

export const videoFacts = { isActualSize: flag('video.actualSize') }
