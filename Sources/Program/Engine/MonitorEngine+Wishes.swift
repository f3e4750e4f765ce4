import Appearance
import Base
import Configuration
import MonitorLink
import Monitoring
import Vitals

// Requests of the user, from this program's keys or from a view.
extension MonitorEngine {
    /// Carries out a wish, or passes it to the viewed monitor.
    package func carryOut(_ wish: Wish) {
        if let view = feed.view { return pass(wish, to: view) }
        switch wish {
        case .sensor(let aboutSensor):
            if let record = state.record(of: aboutSensor) { fold(.recorded(record, at: feed.now())) }
            feed.live?.carryOut(aboutSensor)
        case .patient(let aboutPatient):
            fold(.wish(aboutPatient, at: feed.now()))
            keepMemory(isNewPatient: aboutPatient == .newPatient)
        case .keepLimit(let vital, let setting): keep(setting, of: vital)
        }
    }

    /// Why a view's wish is refused; `nil` when it is allowed.
    package func refusal(of wish: Wish) -> WishError? {
        state.refusal(of: wish, at: feed.now())
    }

    /// Passes a wish to the viewed monitor; while that is lost, answers to alarms apply here.
    private func pass(_ wish: Wish, to view: ViewFeed) {
        if view.isConnected {
            // The monitor's answer is known without asking it.
            if let refusal = refusal(of: wish) { return send(.notice(refusal.description)) }
            return view.carryOut(wish)
        }
        switch wish {
        case .patient(let wish): fold(.wish(wish, at: feed.now()))
        case .sensor(.inspect), .sensor(.trace): break
        case .sensor, .keepLimit: send(.unavailable(wish))
        }
    }
}

// Settings that change while the program runs.
extension MonitorEngine {
    /// Changes a setting until the program ends or ``keepSettings()`` is called.
    ///
    /// - Throws: `ConfigurationError` for an invalid value.
    package func changeSetting(_ name: String, _ change: SettingChange) throws(ConfigurationError) {
        let old = settings
        let result = try settingsPersister.change(name, change)
        if old.alarms != settings.alarms { dispatcher.follow(settings.alarms) }
        if old.alarms.hasPulseTone != settings.alarms.hasPulseTone {
            Task(executorPreference: loop) { await self.followMarks() }
        }
        if feed.view == nil {
            fold(.settings(settings.monitorSettings, name: result.name, value: result.value, at: feed.now()))
        }
        send(.settingsChanged(from: old))
        if let warning = settingsPersister.skippedTheme { send(.notice(warning)) }
    }

    /// Saves the changed settings in the configuration file.
    ///
    /// - Returns: The result, as a sentence for the user.
    package func keepSettings() -> String { settingsPersister.keep() }

    /// The settings for the page of settings.
    package var settingItems: [SettingItem] { settingsPersister.desk.items }

    /// Saves a limit or rule of a vital in the configuration file, where it is no longer an unsaved change of the user.
    func keep(_ setting: LimitSetting, of vital: Vital) {
        let kept = settingsPersister.keep(setting, of: vital, in: state.scheduleEntry?.name)
        if let settings = kept.settings {
            fold(.settings(settings, name: nil, value: nil, at: feed.now()))
            keepMemory()
        }
        send(.settingsKept)
        send(.notice(kept.sentence))
    }

    /// Reads the settings again; if that fails, the present ones stay.
    ///
    /// - Parameter read: Reads them.
    package func reload(_ read: () throws(ConfigurationFileError) -> Settings) {
        send(.reloading)
        do throws(ConfigurationFileError) {
            let new = try read()
            settingsPersister = SettingsPersister(settingsPersister.file, new)
            fold(.settings(new.monitorSettings, name: nil, value: nil, at: feed.now()))
            let sentence =
                "the configuration was read again; limits, rules and delays hold as it says, the rest from the next start"
            send(.reloaded(sentence, succeeded: true))
        } catch {
            let reason = error.sentences.joined(separator: "; ")
            send(
                .reloaded(
                    "the configuration was not read again, and the earlier settings still hold: \(reason)",
                    succeeded: false))
            // A screen has only one line for it, which the path must not fill.
            let path = settingsPersister.file?.path
            let shown =
                path.map { reason.exchanging($0, for: $0.split(separator: "/").last.map(String.init) ?? "") } ?? reason
            send(.viewNotice("Settings not read again: \(shown); the earlier ones still hold."))
        }
    }
}
