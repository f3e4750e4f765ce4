import Vitals

extension SensorSupervisor {
    /// Carries out a wish about sensors and the radio.
    public func carryOut(_ wish: SensorWish) async {
        switch wish {
        case .connect(let address): connect(address)
        case .disconnect(let address): disconnect(address)
        case .rename(let address, let label): rename(address, to: label)
        case .forget(let address): await forget(address)
        case .inspect(let address): inspect(address)
        case .explore(let address, let number, let exploration):
            await explore(address, characteristic: number, exploration)
        case .assign(let address, let vitals): assign(vitals, to: address)
        case .useAdapter(let identifier): await useAdapter(identifier)
        case .pair(let address): pair(address)
        case .answerPairing(let address, let reply): answerPairing(address, reply)
        case .cancelPairing(let address): await cancelPairing(address)
        case .setScanning(let isWanted): setScanning(isWanted)
        case .setPowered(let isPowered): await setPowered(isPowered)
        }
    }
}
