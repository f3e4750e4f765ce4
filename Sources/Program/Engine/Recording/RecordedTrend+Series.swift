import Monitoring
import Recording

extension RecordedTrend {
    /// The stored trend of a vital.
    package init(_ series: RecordedSeries) {
        self.init(
            series.vital, from: TrendSource(sensor: series.sensor),
            series.stretches.map { stretch in
                Point(
                    wallMilliseconds: stretch.from, duration: .milliseconds(stretch.length),
                    values: stretch.values.map {
                        TrendColumn(minimum: $0.minimum, maximum: $0.maximum, last: $0.last)
                    }, endsAbsent: stretch.endsAbsent)
            })
    }
}
