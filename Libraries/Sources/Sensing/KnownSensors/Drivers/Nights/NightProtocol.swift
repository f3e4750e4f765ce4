import SensorDrivers
import VitalDecoders
import Vitals

/// How the rings of one generation are asked for their nights.
protocol NightProtocol: Sendable {
    static var generation: SensorNights.RingGeneration { get }

    /// What is asked before a night can be fetched, in this order; the list is the last.
    static var opening: [NightRequest] { get }

    /// Whether a ring hands over nothing any more on a link on which it was asked for present values.
    static var needsOwnLink: Bool { get }

    /// Whether pieces are asked for by their number, so that all but the last one must have one length.
    static var hasNumberedPieces: Bool { get }

    /// The writes of a request, in order.
    static func writes(_ request: NightRequest) -> [DriverRequest]

    /// The meaning of an answer with data; `nil` for one that cannot be read.
    static func answer(_ data: [UInt8], to request: NightRequest) -> NightAnswer?

    /// The meaning of an answer with an error.
    static func refusal(_ code: UInt8) -> NightRefusal
}

/// What a ring is asked for about its nights.
enum NightRequest: Hashable, Sendable {
    /// Its settings, which some rings must have been asked for before they open a file.
    case settings
    /// Its clock.
    case clock
    /// The names of its files.
    case list
    /// To open a file.
    case open(String)
    /// A piece of the open file: its number, and how many octets are before it.
    case piece(number: Int, offset: Int)
    /// To close the open file, if there is one.
    case close
}

/// What a ring answers about its nights.
enum NightAnswer: Hashable, Sendable {
    /// It has done what was asked.
    case done
    /// The time by its clock; `nil` for one that is none.
    case clock(DateTime?)
    /// The names of its files, with the time by its clock where it sends both.
    case names([String], clock: DateTime?)
    /// The octets of the opened file.
    case size(Int)
    /// A piece of the open file.
    case piece([UInt8])
}

/// Why a ring does not do what is asked about a night.
enum NightRefusal: Hashable, Sendable {
    /// It may do it in a moment.
    case busy
    /// For a reason, a clause.
    case refused(String)
}
