import CommandLineTool
import Dashboard
import EventLoop
import MonitorLink
import Monitoring
import Vitals

// Those who look at this screen's monitor from elsewhere.
extension ScreenController {
    /// Lets other programs ask, and the terminal's title show what they are told.
    func offer(_ post: MonitorPost) {
        self.post = post
        let publisher = makePublisher()
        self.publisher = publisher
        publisher.keeps = { [weak post] in post?.keep($0) ?? false }
        post.understands = { publisher.take($0, from: $1) }
        if terminal.hasTitle { post.shown = { [weak self] in self?.showTitle($0) } }
        post.open(isSimulated: screen.isSimulated)
    }

    /// Makes the publisher of a screen that monitors itself.
    private func makePublisher() -> MonitorPublisher {
        MonitorPublisher(on: ScreenActor.loop, .dashboard) { [unowned self] in
            ScreenActor.assumeIsolated { snapshot }
        } refusal: { [unowned self] wish in
            ScreenActor.assumeIsolated { state.refusal(of: wish, at: feed.now()) }
        } perform: { [unowned self] wish in
            ScreenActor.assumeIsolated { perform(wish) }
        }
    }

    private var snapshot: MonitorSnapshot {
        MonitorSnapshot(
            state: state, log: screen.log.entries, provenance: feed.provenance,
            isRecording: outlet.mark(for: .working) == .on)
    }

    private func perform(_ wish: ViewerLine) {
        switch wish {
        case .attach: break
        case .command(let command): feed.carryOut(command)
        case .action(let action): answer(action)
        case .keepLimit(let vital, let setting):
            keep(setting, of: vital)
            if let message = screen.message { publisher?.publish(notice: message) }
        }
    }
}
