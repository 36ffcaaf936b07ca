internal import HelioAppModels
internal import HelioCore

extension ViewerFlow {
    func perform(_ effect: PairingModel.Effect) {
        switch effect {
        case .join(let code): join(code)
        case .pair(let name): pair(as: name)
        case .confirm(let isSame): pairingTry?.answer(isSame)
        case .abandon: abandon()
        case .close: close()
        }
        onChange()
    }

    /// Connects to the host with the code that it shows.
    private func join(_ code: String) {
        guard var host = opened else { return }
        host.code = code
        open(host)
    }

    private func pair(as name: String) {
        guard let host = opened else { return }
        abandon()
        pairingTry = PairingTry(world, host, code: nil, name: name) { [weak self] digits in
            self?.pairing?.handle(.compare(digits))
        } onEnd: { [weak self] result in
            self?.paired(result)
        }
    }

    private func paired(_ result: Result<String, HelioError>) {
        pairingTry = nil
        switch result {
        case .success(let name):
            if !name.isEmpty { opened?.listed.name = name }
            isPaired = true
            reload()
            pairing?.handle(.paired)
        case .failure(let error): pairing?.handle(.ended(SessionEnding(error)))
        }
        onChange()
    }

    func abandon() {
        pairingTry?.abandon()
        pairingTry = nil
    }

    /// Closes the pairing screen. Connects to the host if it has paired with this device; otherwise returns to the
    /// list.
    private func close() {
        abandon()
        pairing = nil
        if isPaired, let opened { return open(opened) }
        opened = nil
    }
}
