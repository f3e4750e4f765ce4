import Monitoring

extension SettingTable {
    static let earlyWarning: [Setting] = [
        Setting(
            "early_warning", "spo2_scale", \.monitor.oxygenSaturationScale, .word(OxygenSaturationScale.self),
            """
            The scale of the oxygen saturation. The second one is for a patient whose target is 88 to 92 %, by a \
            clinician's decision, who breathes air or is given oxygen; it is named beside the bands.
            """)
    ]
}
