/// A share as a readable percentage: "17 %", "< 1 %", "> 99 %".
public enum PercentText {
    /// The text of a share: a part is never "0 %", and less than the whole never "100 %".
    ///
    /// - Parameters:
    ///   - percent: The part in whole percent, however it was rounded.
    ///   - isSome: Whether there is any of it.
    ///   - isAll: Whether it is the whole.
    public static func text(_ percent: Int, isSome: Bool, isAll: Bool) -> String {
        if isSome, percent <= 0 { return "< 1 %" }
        if !isAll, percent >= 100 { return "> 99 %" }
        return "\(percent) %"
    }
}
